package main

var l = rate.NewLimiter(5, 10)

func search(w http.ResponseWriter, r *http.Request) {
	if !l.Allow() {
		http.Error(w, "slow down", 429)
		return
	}
	serve(w)
}
