package profile

import (
	"math/rand/v2"
	"slices"
	"time"
)

// Budget bounds what a profile may cost the target.
type Budget struct {
	// Share is the part of its time that the target may lose, 0 to 1: to pauses for dumps, and to the CPU time that
	// jstall takes from it.
	Share float64
	// OwnCPU returns the CPU time that jstall has used, nil if it does not count, and Cores is the number of CPUs that
	// it is taken from.
	OwnCPU func() time.Duration
	Cores  int
}

const (
	// shortestInterval is the shortest interval of any profile: shorter ones add little.
	shortestInterval = 10 * time.Millisecond
	// learnt is how many samples predict the cost of the next one. Their median is taken, as a single slow sample does
	// not predict another.
	learnt = 9
	// afterFirst is how many times its own pause must pass between the first sample and the second: the first may be
	// slow for reasons that do not affect the others.
	afterFirst = 10
	// longest is the maximum time to the next sample, where the share is very small.
	longest = 100 * 24 * time.Hour
)

// pace chooses the times of the samples: as many as the budget for the whole time allows, spread evenly over the time
// that is left.
type pace struct {
	fixed    time.Duration
	duration time.Duration // zero if the end is not known
	budget   Budget
	lost     spending
}

// spending is what samples have cost.
type spending struct {
	total   time.Duration
	samples int
	last    []time.Duration
}

func (s *spending) add(d time.Duration) {
	s.total += d
	s.samples++
	if s.last = append(s.last, d); len(s.last) > learnt {
		s.last = s.last[1:]
	}
}

// expected is the predicted cost of the next sample.
func (s *spending) expected() time.Duration {
	if len(s.last) == 0 {
		return 0
	}
	sorted := slices.Sorted(slices.Values(s.last))
	return sorted[(len(sorted)-1)/2]
}

// worst is the maximum that the next sample is expected to cost: that of the most expensive of the latest ones. It
// leaves out the first of all once there is another.
func (s *spending) worst() time.Duration {
	switch {
	case len(s.last) == 0:
		return 0
	case s.samples > 1 && s.samples == len(s.last):
		return slices.Max(s.last[1:])
	}
	return slices.Max(s.last)
}

func (p *pace) ownCPU() time.Duration {
	if p.budget.OwnCPU == nil {
		return 0
	}
	return p.budget.OwnCPU()
}

// learn notes what a sample cost: a pause, and CPU time of jstall that was not idle time. CPU time of one of many CPUs
// costs the target less, as it can use all of them.
func (p *pace) learn(pause, own time.Duration) {
	p.lost.add(pause + own/time.Duration(max(1, p.budget.Cores)))
}

// next is the time of the next sample, given those of the first and of the last one, all since the run began. If the
// end is known, one sample is taken there, as nothing after the last sample is seen.
func (p *pace) next(first, last time.Duration) time.Duration {
	interval := p.interval(first, last)
	due := last + interval
	if p.duration > 0 && due+interval/2 > p.duration {
		return p.duration
	}
	return due
}

// interval is the time from the last sample to the next. If it is not fixed it varies, so that the samples do not
// coincide with periodic work of the target.
func (p *pace) interval(first, last time.Duration) time.Duration {
	if p.fixed > 0 {
		return p.fixed
	}
	if p.duration == 0 {
		return max(shortestInterval, varied(p.sinceFirst()-(last-first)))
	}
	left := p.duration - last
	rest := time.Duration(p.budget.Share*float64(p.duration-first)) - p.lost.total
	worst := p.lost.worst()
	switch {
	case rest < 2*worst: // one more would leave too little for the last
		return max(shortestInterval, left)
	case p.lost.samples == 1:
		return max(shortestInterval, afterFirst*p.lost.total)
	}
	between := int64(rest-worst) / int64(max(1, p.lost.expected()))
	return max(shortestInterval, varied(left/time.Duration(between+1)))
}

// sinceFirst is how long after the first sample the next one is paid for. If the end is unknown the target may end at
// any time, so the time after a sample cannot pay for it.
func (p *pace) sinceFirst() time.Duration {
	return time.Duration(min(float64(p.lost.total+p.lost.expected())/p.budget.Share, float64(longest)))
}

// varied returns a time that is up to a quarter longer or shorter.
func varied(d time.Duration) time.Duration {
	return time.Duration(float64(d) * (0.75 + rand.Float64()/2))
}
