# token bucket for the rate limiter
def wait(tokens, cost, rate):
    if tokens >= cost:
        return 0
    return (cost - tokens) / rate
