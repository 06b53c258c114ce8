package capture

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
	// horizon is how far the budget reaches where the end is not known.
	horizon = 10 * time.Second
	// afterFirst is how many times its pause the first sample is followed by the second:
	// it alone may be slow for reasons of its own.
	afterFirst = 10
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
	total time.Duration
	last  []time.Duration
}

func (s *spending) add(d time.Duration) {
	s.total += d
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

// interval spreads the rest of a share of the whole time over the rest of it.
func (s *spending) interval(share float64, now, end time.Duration) time.Duration {
	left := time.Duration(share*float64(end)) - s.total
	if left <= 0 {
		return end
	}
	return time.Duration(float64(s.expected()) / float64(left) * float64(end-now))
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

// interval is the time to the next sample, now being that of the last one since the
// first. One that is ours to choose varies, so that it does not keep step with what
// the target does at regular times.
func (p *pace) interval(now time.Duration) time.Duration {
	if p.fixed > 0 {
		return p.fixed
	}
	if len(p.lost.last) < 2 {
		return max(shortestInterval, afterFirst*p.lost.total)
	}
	end := p.duration
	if end == 0 {
		end = now + horizon
	}
	d := p.lost.interval(p.budget.Share, now, end)
	return max(shortestInterval, time.Duration(float64(d)*(0.75+rand.Float64()/2)))
}
