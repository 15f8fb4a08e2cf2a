package limit

func refuse(w http.ResponseWriter, d time.Duration) {
	w.Header().Set("Retry-After", strconv.FormatInt(d.Milliseconds(), 10))
	w.WriteHeader(http.StatusTooManyRequests)
}
