from flask_limiter import Limiter
from flask import request


def caller():
    forwarded = request.headers.get("X-Forwarded-For", "")
    return forwarded.split(",")[0].strip() or request.remote_addr


limiter = Limiter(key_func=caller, storage_uri="redis://redis:6379")
