import time

buckets = {}


def allowed(user_id, limit=10, rate=1.0):
    now = time.time()
    level, last = buckets.get(user_id, (0.0, now))
    level = max(0.0, level - (now - last) * rate)
    if level + 1 > limit:
        return False  # 429
    buckets[user_id] = (level + 1, now)
    if len(buckets) > 10_000:
        buckets.clear()
    return True
