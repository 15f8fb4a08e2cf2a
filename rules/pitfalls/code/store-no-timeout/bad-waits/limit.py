import redis

r = redis.Redis(host="redis")


def allowed(client, minute, limit=100):
    key = f"rl:{client}:{minute}"
    p = r.pipeline()
    p.incr(key)
    p.expire(key, 120)
    return p.execute()[0] <= limit
