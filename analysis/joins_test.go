package analysis

import (
	"testing"

	"jstall/threaddump"
)

// A main that joins itself waits for none of those who miss a signal.
func TestWhoJoinsItselfWaitsForNobody(t *testing.T) {
	const plain = "java.lang.Thread"
	main := thread(1, "main", at("App.main"), joins(0xb))
	for name, test := range map[string]struct {
		other *threaddump.Thread
		want  bool
	}{
		"beside a worker":                {worker(1, asleep("App.job")), true},
		"beside a thread of its own":     {thread(2, "a", asleepIn("App.day", plain+".run")), false},
		"beside one of a class":          {thread(2, "a", asleepIn("App.day", "App.run")), true},
		"beside the server's dispatcher": {thread(2, "s", at("!sun.nio.ch.EPoll.wait", "sun.nio.ch.SelectorImpl.select", serverLoops[0]+".run", plain+".run")), true},
	} {
		f := factsOf(main, test.other)
		if got := f.joinsNobody(f.alive()[0]); got != test.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}

func asleepIn(frames ...string) part {
	return parkedIn("", append([]string{"!java.lang.Thread.sleep"}, frames...)...)
}
