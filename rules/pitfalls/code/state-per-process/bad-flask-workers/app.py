from flask import Flask
from flask_limiter import Limiter


def account():
    return request.headers["x-account"]


app = Flask(__name__)
limiter = Limiter(account, app=app, storage_uri="memory://", default_limits=["60/minute"])
