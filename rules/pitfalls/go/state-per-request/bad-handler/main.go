package main

func search(w http.ResponseWriter, r *http.Request) {
	l := rate.NewLimiter(5, 10)
	if !l.Allow() {
		http.Error(w, "slow down", 429)
		return
	}
	serve(w)
}
