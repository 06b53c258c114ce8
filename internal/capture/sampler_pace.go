package capture

import (
	"math/rand/v2"
	"slices"
	"time"
)

// Budget bounds what a profile may cost.
type Budget struct {
	// PauseShare is the part of the time that the target may be stopped, 0 to 1.
	PauseShare float64
	// OwnShare is the CPU time, in cores, that we may take from the target and others,
	// zero for any; OwnCPU is what we have used.
	OwnShare float64
	OwnCPU   func() time.Duration
}

const (
	// shortestInterval is that of any profile: shorter ones tell little more.
	shortestInterval = 10 * time.Millisecond
	// learnt is from how many looks the cost of the next one is learnt. Their median
	// is taken: what slowed one of them down need not slow the next.
	learnt = 9
	// horizon is how far the budget reaches where the end is not known.
	horizon = 10 * time.Second
	// afterFirst is how many times its pause the first look is followed by the second:
	// it alone may be slow for reasons of its own.
	afterFirst = 10
)

// pace finds the moments of the looks: as many as the budget of the whole time
// allows, evenly over what is left of it.
type pace struct {
	fixed    time.Duration
	duration time.Duration // zero if the end is not known
	budget   Budget
	pause    spending
	own      spending
}

// spending is what looks cost in one coin.
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

// expected is what the next look will cost.
func (s *spending) expected() time.Duration {
	if len(s.last) == 0 {
		return 0
	}
	sorted := slices.Sorted(slices.Values(s.last))
	return sorted[(len(sorted)-1)/2]
}

// interval spreads the rest of a share of the whole time over the rest of it.
func (s *spending) interval(share float64, now, end time.Duration) time.Duration {
	if share <= 0 {
		return 0
	}
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

func (p *pace) learn(pause, own time.Duration) {
	p.pause.add(pause)
	p.own.add(own)
}

// interval is the time to the next look, now being that of the last one since the
// first. One that is ours to choose varies, so that it does not keep step with what
// the target does at regular times.
func (p *pace) interval(now time.Duration) time.Duration {
	if p.fixed > 0 {
		return p.fixed
	}
	if len(p.pause.last) < 2 {
		return max(shortestInterval, afterFirst*p.pause.total)
	}
	end := p.duration
	if end == 0 {
		end = now + horizon
	}
	d := max(p.pause.interval(p.budget.PauseShare, now, end), p.own.interval(p.budget.OwnShare, now, end))
	return max(shortestInterval, time.Duration(float64(d)*(0.75+rand.Float64()/2)))
}
