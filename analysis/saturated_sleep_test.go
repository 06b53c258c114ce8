package analysis

import (
	"testing"

	"jstall/threaddump"
)

// Workers that all sleep long in tasks which end are missing to those that may come.
func TestWorkersThatSleepOnTheJob(t *testing.T) {
	ends := map[string]bool{"App.pause:11>sleep": true, "App.send:12>pause": true}
	sleeps := func(n int, cpu float64) *threaddump.Thread {
		t := worker(n, asleep("App.pause", "App.send"), inLines)
		used(cpu, 10)(t)
		return t
	}
	feed := func(t *threaddump.Thread) { sleeping(t); inLines(t) }
	for _, test := range []struct {
		name  string
		ends  map[string]bool
		later []string
		cpu   float64 // from one dump to the next
		n     int
		want  string
	}{
		{"all", ends, []string{handsWord}, 0, 3, "executor-saturated/warning/likely: pool-1-thread-1,pool-1-thread-2,pool-1-thread-3 | "},
		{"two, of which more may be started", ends, []string{handsWord}, 0, 2, ""},
		{"nobody hands in more", ends, nil, 0, 3, ""},
		{"a loop that goes on", map[string]bool{"App.pause:11>sleep": true}, []string{handsWord}, 0, 3, ""},
		{"between pieces of work", ends, []string{handsWord}, 0.2, 3, ""},
	} {
		code := &Bytecode{Closed: true, Ends: test.ends, Later: test.later, Ahead: map[string][]string{"App.pause:11>sleep": nil, "App.send:12>pause": nil, "App.feed:11>sleep": nil}}
		var look []Observation
		for i := range 3 {
			threads := []*threaddump.Thread{thread(50, "f", at("!java.lang.Thread.sleep", "App.feed"), used(0.001*float64(i), 9), feed)}
			for n := range test.n {
				threads = append(threads, sleeps(n+1, 1+test.cpu*float64(i)))
			}
			look = append(look, observe(float64(i), threads...))
		}
		t.Run(test.name, func(t *testing.T) {
			expectOnly(t, diagnose(append(look, Observation{Bytecode: code})...), KindExecutorSaturated, test.want)
		})
	}
}

// Workers that ask now and then for what does not come are missing to those whose results none of them brings.
func TestWorkersThatAskInVain(t *testing.T) {
	asks := func(n int, cpu float64, method string) *threaddump.Thread {
		t := worker(n, asleep(method, "App.render"), inLines)
		used(cpu, 10)(t)
		return t
	}
	for _, test := range []struct {
		name  string
		hands string  // what a caller does behind its wait
		cpu   float64 // of a worker from one dump to the next
		woken float64 // of a caller
		n     int
		other string // where the second worker sleeps
		want  string
	}{
		{"all", handsWord, 0.0006, 0, 2, "App.poll", "executor-saturated/warning/likely: pool-1-thread-1,pool-1-thread-2 | c-50,c-51"},
		{"one caller", handsWord, 0.0006, 0, 1, "App.poll", "executor-saturated/info/possible: pool-1-thread-1,pool-1-thread-2 | c-50"},
		{"callers that are woken", handsWord, 0.0006, 0.2, 2, "App.poll", ""},
		{"callers that want no more", "", 0.0006, 0, 2, "App.poll", "executor-saturated/info/possible: pool-1-thread-1,pool-1-thread-2 | c-50,c-51"},
		{"in different work", handsWord, 0.0006, 0, 2, "App.rest", "executor-saturated/info/possible: pool-1-thread-1,pool-1-thread-2 | c-50,c-51"},
	} {
		ahead := map[string][]string{"App.poll:11>sleep": nil, "App.rest:11>sleep": nil, "App.render:12>poll": nil, "App.render:12>rest": nil, "App.ask:14>get": {test.hands}}
		var look []Observation
		for i := range 3 {
			cpu := 1 + test.cpu*float64(i)
			threads := []*threaddump.Thread{asks(1, cpu, "App.poll"), asks(2, cpu, test.other)}
			for n := range test.n {
				c := caller(int64(50 + n))
				used(1+test.woken*float64(i), 9)(c)
				inLines(c)
				threads = append(threads, c)
			}
			look = append(look, observe(float64(i), threads...))
		}
		t.Run(test.name, func(t *testing.T) {
			expectOnly(t, diagnose(append(look, Observation{Bytecode: &Bytecode{Closed: true, Ahead: ahead}})...), KindExecutorSaturated, test.want)
		})
	}
}
