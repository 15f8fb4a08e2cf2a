resource "aws_cloudfront_distribution" "d" {
}
