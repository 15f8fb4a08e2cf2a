package com.example.ratelimit.pages;

class RateLimitRegionPage {
    String regionOf(HttpServletRequest request) {
        String chain = request.getHeader("X-Forwarded-For");
        return chain == null ? "unknown" : regions.lookup(chain.split(",")[0].trim());
    }
}
