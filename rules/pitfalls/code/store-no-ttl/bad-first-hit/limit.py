import redis

store = redis.Redis(socket_timeout=0.05)


def allowed(client, limit=10):
    key = f"rate:{client}"
    count = store.incr(key)
    if count == 1:
        store.expire(key, 60)
    return count <= limit
