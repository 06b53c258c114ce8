package facts

import "github.com/jstall/jstall/analysis/flight"

func (s *sums) heapSummary(e *event) {
	if e.text("when") == "After GC" && len(s.heap.after) < maxPending {
		used := float64(min(e.number("heapUsed"), maxTime))
		s.heap.after[e.number("gcId")] = flight.Point{At: e.at("startTime"), Value: used}
	}
}

// heapConfiguration takes in the largest size that the heap may have.
func (s *sums) heapConfiguration(e *event) {
	if n := e.number("maxSize"); n < maxTime {
		s.r.HeapMax = int64(n)
	}
}
