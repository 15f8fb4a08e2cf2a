import os
from flask_limiter import Limiter
limiter = Limiter(get_remote_address, app=app, storage_uri=os.environ["RATELIMIT_STORAGE_URI"])
