package spin_test

import (
	"testing"

	. "github.com/jstall/jstall/analysis/internal/dumptest"
	"github.com/jstall/jstall/analysis/timeline"
	"github.com/jstall/jstall/threaddump"
)

func TestAFunctionOfAMapThatCallsTheMap(t *testing.T) {
	const hashMap = "java.util.concurrent.ConcurrentHashMap"
	again := At(hashMap+".computeIfAbsent", "App.base", "App.lambda$rate$0", hashMap+".computeIfAbsent", "App.rate")
	once := At(hashMap+".computeIfAbsent", "App.rate")
	reserves := func(t *threaddump.Thread) { LockOn(t, threaddump.Locked, 0x10, hashMap+"$ReservationNode") }
	locks := func(t *threaddump.Thread) { LockOn(t, threaddump.Locked, 0x10, hashMap+"$Node") }
	for name, test := range map[string]struct {
		at    []Part
		holds Part
		want  []string
	}{
		"three dumps":     {[]Part{again, again, again}, reserves, []string{"spin/warning/likely: a | "}},
		"two dumps":       {[]Part{again, again}, reserves, []string{"spin/info/likely: a | "}},
		"one dump":        {[]Part{again}, reserves, nil},
		"it moves":        {[]Part{again, once, again}, reserves, nil},
		"one call":        {[]Part{once, once, once}, reserves, nil},
		"of another bin":  {[]Part{again, again, again}, locks, nil},
		"it has returned": {[]Part{again, again, At("App.rate")}, reserves, nil},
	} {
		var all []timeline.Observation
		for i, at := range test.at {
			all = append(all, Observe(float64(i), Thread(1, "a", at, test.holds)))
		}
		if got := Found(Diagnose(all...)); len(got) != len(test.want) || len(got) > 0 && got[0] != test.want[0] {
			t.Errorf("%s: %q, not %q", name, got, test.want)
		}
	}
}
