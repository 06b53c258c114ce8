package analysis

import (
	"fmt"
	"strings"
	"testing"

	"jstall/threaddump"
)

// Those that wait at one place, each for something of its own, are one finding; few are
// not, and those at another place are not among them.
func TestACrowdIsOneFinding(t *testing.T) {
	waiters := func(n int) []*threaddump.Thread {
		all := []*threaddump.Thread{thread(1, "other", at("Door.open", "Door.pass", "Door.main"), waiting(0x99), used(0, 900))}
		for i := range n {
			all = append(all, thread(int64(10+i), fmt.Sprintf("visitor-%d", 10+i),
				at("News.listen", "News.attend", "News.visit"), waiting(uint64(0x1000+16*i)), used(0, 900)))
		}
		return all
	}
	for n, want := range map[int]int{3: 4, 20: 2} {
		r := diagnose(observe(0, waiters(n)...), observe(2, waiters(n)...))
		var titles []string
		for _, f := range r.Findings {
			titles = append(titles, f.Title)
		}
		if len(titles) != want {
			t.Errorf("%d threads: %q", n, titles)
		}
		if crowd := fmt.Sprintf("%d threads wait each for a notify", n); n > crowdLeast && !strings.HasPrefix(titles[0], crowd) {
			t.Errorf("%q", titles)
		}
	}
}

// Tasks that came one after the other to one object, and stand there, are no workers that
// wait for work.
func TestTasksPileUp(t *testing.T) {
	const object = 0xa
	task := func(n int, age float64, at uint64) *threaddump.Thread {
		th := thread(int64(100+n), fmt.Sprintf("pool-1-thread-%d", n), inTask("Board", unsafePark, juc+"locks.LockSupport.park", "Board.take", "Trip.run"), used(0.001, age))
		th.Locks[0].Address = at
		return th
	}
	accepts := thread(1, "a", at("!sun.nio.ch.Net.accept", "sun.nio.ch.ServerSocketChannelImpl.accept", "Door.run"), used(1, 90))
	for _, test := range []struct {
		name, want string
		ages       []float64
		apart      uint64
		beside     []*threaddump.Thread
	}{
		{"one by one", "missed-signal/warning/likely: pool-1-thread-0,pool-1-thread-1,pool-1-thread-2,pool-1-thread-3 | ", []float64{9, 9.5, 10, 10.5}, 0, nil},
		{"started together", "", []float64{9, 9.01, 9.02, 9.03}, 0, nil},
		{"started together, but for one", "", []float64{9, 9.01, 9.02, 19}, 0, nil},
		{"three", "", []float64{9, 10, 11}, 0, nil},
		{"each at an object of its own", "", []float64{9, 9.5, 10, 10.5}, 0x10, nil},
		{"beside who accepts connections", "", []float64{9, 9.5, 10, 10.5}, 0, []*threaddump.Thread{accepts}},
	} {
		t.Run(test.name, func(t *testing.T) {
			var look []Observation
			for i := range 3 {
				threads := append(test.beside, thread(2, "main", asleepIn("Board.main"), timed, used(1, 90)))
				for n, age := range test.ages {
					threads = append(threads, task(n, age+float64(i), object+uint64(n)*test.apart))
				}
				look = append(look, observe(float64(i), threads...))
			}
			expectOnly(t, diagnose(look...), KindMissedSignal, test.want)
		})
	}
}
