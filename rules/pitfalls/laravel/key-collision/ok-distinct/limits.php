<?php
use Illuminate\Support\Facades\RateLimiter;

RateLimiter::for('search', fn ($request) => [
    Limit::perMinute(10)->by('m'.$request->user()->id),
    Limit::perHour(100)->by('h'.$request->user()->id),
]);
