package profile

import (
	"testing"
	"time"
)

// fakeRun is a profile whose clock advances only between samples. The function returns the cost of each sample by its
// number; the first is at 0, and all after the end are left out.
type fakeRun struct {
	pace pace
	at   []time.Duration
}

func (f *fakeRun) play(end time.Duration, cost func(i int) time.Duration) {
	for now := time.Duration(0); now <= end; now = f.pace.next(0, now) {
		f.pace.learn(cost(len(f.at)), 0)
		f.at = append(f.at, now)
		if f.pace.duration > 0 && now >= f.pace.duration {
			return
		}
	}
}

// samplesWithin plays a profile of ten seconds whose samples all cost the same.
func samplesWithin(cores int, pause, own time.Duration) (samples int, lost time.Duration) {
	const long = 10 * time.Second
	p := &pace{duration: long, budget: Budget{Share: 0.02, Cores: cores}}
	for now := time.Duration(0); now < long; now = p.next(0, now) {
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
			if lost > budget {
				t.Errorf("lost %v of %v", lost, budget)
			}
		})
	}
}

// costs that a fakeRun may have, by the number of the sample.
var fakeCosts = map[string]func(i int) time.Duration{
	"all the same": func(int) time.Duration { return 3 * time.Millisecond },
	"the first is dear": func(i int) time.Duration {
		if i == 0 {
			return 12 * time.Millisecond
		}
		return 2 * time.Millisecond
	},
	"dear ones come again": func(i int) time.Duration {
		if i%4 == 3 {
			return 5 * time.Millisecond
		}
		return 2 * time.Millisecond
	},
	"all are dear": func(int) time.Duration { return 60 * time.Millisecond },
	"ever cheaper": func(i int) time.Duration { return 20 * time.Millisecond / time.Duration(i+1) },
}

// TestTheShareIsKept: whatever a run's length, its samples cost no more than the share of it, or are two.
func TestTheShareIsKept(t *testing.T) {
	for name, cost := range fakeCosts {
		for _, long := range []time.Duration{time.Second, 2 * time.Second, 5 * time.Second, 30 * time.Second} {
			for range 50 { // the intervals vary
				run := fakeRun{pace: pace{duration: long, budget: Budget{Share: 0.02}}}
				run.play(long, cost)
				n, lost := len(run.at), run.pace.lost.total
				if budget := long / 50; lost > budget && n > 2 {
					t.Fatalf("%s, %v: %d samples cost %v of %v", name, long, n, lost, budget)
				}
				if n < 2 || run.at[n-1] != long {
					t.Fatalf("%s, %v: samples at %v: none at the end", name, long, run.at)
				}
			}
		}
	}
}

// TestTheShareIsUsed: what is allowed is taken, evenly over the run.
func TestTheShareIsUsed(t *testing.T) {
	const long = 10 * time.Second
	run := fakeRun{pace: pace{duration: long, budget: Budget{Share: 0.02}}}
	run.play(long, fakeCosts["the first is dear"])
	if lost := run.pace.lost.total; lost < long/50*9/10 {
		t.Errorf("%d samples cost %v of %v", len(run.at), lost, long/50)
	}
	half := 0
	for _, at := range run.at {
		if at < long/2 {
			half++
		}
	}
	if n := len(run.at); half < n*4/10 || half > n*6/10 {
		t.Errorf("%d of %d samples in the first half", half, n)
	}
}

// TestAnEndThatIsNotKnown: the target may end at any moment, and the samples so far must have been paid for by then.
func TestAnEndThatIsNotKnown(t *testing.T) {
	const cost = 3 * time.Millisecond
	for range 50 {
		run := fakeRun{pace: pace{budget: Budget{Share: 0.02}}}
		run.play(20*time.Second, func(int) time.Duration { return cost })
		for i, at := range run.at {
			// an interval of 150 ms is up to a quarter shorter, one that makes up for such a one by more
			if lost, allowed := time.Duration(i+1)*cost, at/50+cost/2; i > 0 && lost > allowed {
				t.Fatalf("%v lost after %v", lost, at)
			}
		}
		if n := len(run.at); n < 110 {
			t.Errorf("%d samples in 20 s", n)
		}
	}
}

func TestAVerySmallShare(t *testing.T) {
	for _, long := range []time.Duration{0, time.Second} {
		run := fakeRun{pace: pace{duration: long, budget: Budget{Share: 1e-300}}}
		run.play(time.Second, func(int) time.Duration { return time.Millisecond })
		if n := len(run.at); n != 1 && long == 0 || n != 2 && long > 0 {
			t.Errorf("%v: %d samples", long, n)
		}
	}
}

func TestAFixedInterval(t *testing.T) {
	run := fakeRun{pace: pace{fixed: 300 * time.Millisecond, duration: time.Second, budget: Budget{Share: 0.02}}}
	run.play(time.Second, func(int) time.Duration { return time.Second })
	if n := len(run.at); n != 4 { // at 0, 300, 600 and 1000 ms
		t.Errorf("samples at %v", run.at)
	}
}

func TestAboveShare(t *testing.T) {
	for _, c := range []struct {
		done Sampled
		want bool
	}{
		{Sampled{Lost: 21 * time.Millisecond, Elapsed: time.Second, Share: 0.02}, true},
		{Sampled{Lost: 19 * time.Millisecond, Elapsed: time.Second, Share: 0.02}, false},
		{Sampled{Lost: time.Second, Elapsed: time.Second}, false}, // the interval is fixed
		{Sampled{Lost: time.Second, Share: 0.02}, false},          // one sample has no length
	} {
		if got := c.done.AboveShare(); got != c.want {
			t.Errorf("%+v: %t", c.done, got)
		}
	}
}
