resource "aws_api_gateway_usage_plan" "partners" {
  name = "partners"
  throttle_settings {
    rate_limit  = 100
    burst_limit = 200
  }
}
