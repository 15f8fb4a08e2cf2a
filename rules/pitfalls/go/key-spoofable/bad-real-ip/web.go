package web

import "github.com/go-chi/httprate"

func limits(r Router) {
	r.Use(httprate.LimitByRealIP(10, time.Second))
}
