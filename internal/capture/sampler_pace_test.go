package capture

import (
	"testing"
	"time"
)

// samplesWithin plays a profile of ten seconds whose samples all cost the same.
func samplesWithin(cores int, pause, own time.Duration) (samples int, lost time.Duration) {
	const long = 10 * time.Second
	p := &pace{duration: long, budget: Budget{Share: 0.02, Cores: cores}}
	for now := time.Duration(0); now < long; now += p.interval(now) {
		p.learn(pause, own)
		samples++
	}
	return samples, p.lost.total
}

func TestASampleCostsItsPauseAndItsShareOfTheCPUs(t *testing.T) {
	const budget = 200 * time.Millisecond // 2 % of 10 s
	for name, c := range map[string]struct {
		cores      int
		pause, own time.Duration
		want       int
	}{
		"pauses alone":               {2, time.Millisecond, 0, 200},
		"and half as much of us":     {2, time.Millisecond, time.Millisecond, 133},
		"on many CPUs it is nothing": {64, time.Millisecond, time.Millisecond, 197},
		"our CPU alone":              {1, 0, 2 * time.Millisecond, 100},
	} {
		t.Run(name, func(t *testing.T) {
			samples, lost := samplesWithin(c.cores, c.pause, c.own)
			if samples < c.want*9/10 || samples > c.want*11/10 {
				t.Errorf("%d samples, want about %d", samples, c.want)
			}
			if lost > budget*11/10 {
				t.Errorf("lost %v of %v", lost, budget)
			}
		})
	}
}
