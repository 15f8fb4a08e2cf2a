REST_FRAMEWORK = {
    "DEFAULT_THROTTLE_RATES": {"anon": "10/minute"},
    "NUM_PROXIES": 1,
}
CACHES = {"default": {"BACKEND": "django.core.cache.backends.redis.RedisCache", "LOCATION": "redis://redis:6379"}}
