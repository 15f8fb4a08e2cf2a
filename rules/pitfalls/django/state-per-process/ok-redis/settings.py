REST_FRAMEWORK = {
    "DEFAULT_THROTTLE_RATES": {"user": "10/minute"},
}
CACHES = {"default": {"BACKEND": "django.core.cache.backends.redis.RedisCache", "LOCATION": "redis://redis:6379"}}
