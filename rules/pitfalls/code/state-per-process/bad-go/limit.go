package limit

var clients = map[string]*rate.Limiter{}

func allowed(key string) bool {
	l, ok := clients[key]
	if !ok {
		l = rate.NewLimiter(5, 10)
		clients[key] = l
	}
	return l.Allow()
}
