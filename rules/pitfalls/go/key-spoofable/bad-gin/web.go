package web

import "github.com/gin-gonic/gin"

func limiter() gin.HandlerFunc {
	r := gin.New()
	r.Use(gin.Recovery())
	return func(c *gin.Context) {
		if !allow(c.ClientIP()) {
			c.AbortWithStatus(429)
		}
	}
}
