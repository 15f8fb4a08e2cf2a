import uuid


def allowed(redis, user, now, limit=100, window=60):
    p = redis.pipeline()
    p.zadd(user, {str(uuid.uuid4()): now})
    p.zremrangebyscore(user, 0, now - window)
    p.zcard(user)
    return p.execute()[2] <= limit
