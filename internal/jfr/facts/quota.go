package facts

// throttling takes in both sums.
func (s *sums) throttling(e *event) {
	q := &s.quota
	at, elapsed, throttled := e.at("startTime"), e.number("cpuElapsedSlices"), e.number("cpuThrottledSlices")
	if q.at > 0 && at > q.at && elapsed > q.elapsed && throttled >= q.throttled {
		share := min(1, float64(throttled-q.throttled)/float64(elapsed-q.elapsed))
		from, to := s.within(q.at, at.Sub(q.at))
		q.share.add(from, to, share*to.Sub(from).Seconds())
	}
	if at > q.at {
		q.at, q.elapsed, q.throttled = at, elapsed, throttled
	}
}
