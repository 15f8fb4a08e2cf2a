resource "aws_lb" "front" {
  load_balancer_type = "application"
}
resource "aws_lb_target_group" "nginx" {
  port = 80
  target_type = "ip"
}
