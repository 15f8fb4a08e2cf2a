import time

windows = {}


def allowed(user_id, limit=10, window=60):
    now = time.time()
    start, count = windows.get(user_id, (now, 0))
    if now - start > window:
        start, count = (now, 0)
    windows[user_id] = (start, count + 1)
    if len(windows) > 10_000:
        windows.clear()
    return count < limit  # else 429
