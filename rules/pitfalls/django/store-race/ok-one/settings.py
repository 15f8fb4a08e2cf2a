REST_FRAMEWORK = {
    "DEFAULT_THROTTLE_RATES": {"user": "10/minute"},
}
