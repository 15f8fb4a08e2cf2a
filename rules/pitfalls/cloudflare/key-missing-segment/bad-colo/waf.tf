resource "cloudflare_ruleset" "limit" {
  phase = "http_ratelimit"
  rules {
    ratelimit {
      characteristics     = ["cf.colo.id"]
      period              = 10
      requests_per_period = 50
      mitigation_timeout  = 10
    }
  }
}
