<?php
use Illuminate\Support\Facades\RateLimiter;

RateLimiter::for('search', fn ($request) => [
    Limit::perMinute(10)->by($request->ip()),
]);
