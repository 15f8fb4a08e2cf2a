resource "aws_wafv2_web_acl" "a" {
  scope = "REGIONAL"
  rule {
    # 300 requests per minute
    statement {
      rate_based_statement {
        limit = 300
        evaluation_window_sec = 60
        aggregate_key_type = "IP"
      }
    }
  }
}
