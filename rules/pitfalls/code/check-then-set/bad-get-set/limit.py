import json
import time

import redis

r = redis.Redis(socket_timeout=0.1)


def take(client, capacity=10, rate=1.0):
    key = f"bucket:{client}"
    raw = r.get(key)
    state = json.loads(raw) if raw else {"tokens": capacity, "at": time.time()}
    tokens = min(capacity, state["tokens"] + (time.time() - state["at"]) * rate)
    if tokens < 1:
        return False
    r.set(key, json.dumps({"tokens": tokens - 1, "at": time.time()}), ex=3600)
    return True
