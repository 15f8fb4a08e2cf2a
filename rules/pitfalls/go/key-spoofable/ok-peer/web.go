package web

import "github.com/go-chi/httprate"

func limits(r Router) {
	r.Use(httprate.LimitByIP(10, time.Second))
}
