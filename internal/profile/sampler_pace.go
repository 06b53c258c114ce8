package profile

import (
	"math/rand/v2"
	"slices"
	"time"
)

// Budget bounds what a profile may cost the target.
type Budget struct {
	// Share is the part of its time that the target may lose, 0 to 1: stopped by dumps,
	// and without the CPU time that we take from it.
	Share float64
	// OwnCPU is the CPU time that we have used, nil if that is of no account, and Cores
	// the CPUs that it is taken from.
	OwnCPU func() time.Duration
	Cores  int
}

const (
	// shortestInterval is that of any profile: shorter ones tell little more.
	shortestInterval = 10 * time.Millisecond
	// learnt is from how many samples the cost of the next one is learnt. Their median
	// is taken: what slowed one of them down need not slow the next.
	learnt = 9
	// afterFirst is how many times its own pause must pass between the first sample and the second: the first may be
	// slow for reasons that do not affect the others.
	afterFirst = 10
	// longest is the maximum time to the next sample, where the share is very small.
	longest = 100 * 24 * time.Hour
)

// pace finds the moments of the samples: as many as the budget of the whole time
// allows, evenly over what is left of it.
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

// expected is what the next sample will cost.
func (s *spending) expected() time.Duration {
	if len(s.last) == 0 {
		return 0
	}
	sorted := slices.Sorted(slices.Values(s.last))
	return sorted[(len(sorted)-1)/2]
}

// worst is what the next sample may cost: as much as the dearest of the latest ones, the first of all left out
// once there is another.
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

// learn takes what a sample cost: a pause, and CPU time of ours that was not idle. What
// is taken from one of many CPUs costs the target, which has them all, the less.
func (p *pace) learn(pause, own time.Duration) {
	p.lost.add(pause + own/time.Duration(max(1, p.budget.Cores)))
}

// next is the time of the next sample, given those of the first and of the last one, all since the run began. Where the
// end is known, one sample is taken there: what happens after the last is not seen.
func (p *pace) next(first, last time.Duration) time.Duration {
	interval := p.interval(first, last)
	due := last + interval
	if p.duration > 0 && due+interval/2 > p.duration {
		return p.duration
	}
	return due
}

// interval is from the last sample to the next. One that is ours to choose varies, so that it does not keep step with
// what the target does at regular times.
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

// sinceFirst is the time since the first sample that pays for the next: where the end is not known, the target may end
// at any moment, so no sample is paid for by the time after it.
func (p *pace) sinceFirst() time.Duration {
	return time.Duration(min(float64(p.lost.total+p.lost.expected())/p.budget.Share, float64(longest)))
}

// varied is a time that is up to a quarter longer or shorter.
func varied(d time.Duration) time.Duration {
	return time.Duration(float64(d) * (0.75 + rand.Float64()/2))
}
