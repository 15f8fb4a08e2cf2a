package web

import "github.com/gin-gonic/gin"

func limiter() gin.HandlerFunc {
	r := gin.New()
	r.SetTrustedProxies([]string{"10.0.0.0/8"})
	return func(c *gin.Context) {
		if !allow(c.ClientIP()) {
			c.AbortWithStatus(429)
		}
	}
}
