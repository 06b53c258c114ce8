package jfrfacts

import "github.com/jstall/jstall/analysis/flight"

// quota follows the periods of the CPU quota of a container, and those that were cut short. Both are sums since the
// start of the container.
type quota struct {
	elapsed, throttled uint64
	at                 flight.Moment
	share              *series
}

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
