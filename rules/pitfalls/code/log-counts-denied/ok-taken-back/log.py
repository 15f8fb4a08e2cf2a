import uuid


def allowed(redis, user, now, limit=100, window=60):
    member = str(uuid.uuid4())
    p = redis.pipeline()
    p.zadd(user, {member: now})
    p.zcard(user)
    if p.execute()[1] > limit:
        redis.zrem(user, member)
        return False
    return True
