# token bucket for the rate limiter
def wait(tokens, cost, rate, capacity):
    if cost > capacity:
        raise ValueError("asks for more than the bucket holds")
    if tokens >= cost:
        return 0
    return (cost - tokens) / rate
