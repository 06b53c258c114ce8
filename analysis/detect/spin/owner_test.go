package spin_test

import (
	"strings"
	"testing"

	"jstall/analysis"
	. "jstall/analysis/internal/dumptest"
	"jstall/analysis/timeline"
	"jstall/threaddump"
)

// A lock that is made of a loop shows no call once it is compiled: its method's name, the
// one line and who has gone on tell it from work.
func TestLocksThatSpin(t *testing.T) {
	frames := func(line int, names ...string) Part {
		return func(t *threaddump.Thread) {
			t.Stack = Trace(names...)
			t.Stack[len(names)-2].Line = line // of App.transfer, called by App.run
		}
	}
	look := func(method string, owner *threaddump.Thread) *analysis.Report {
		var all []timeline.Observation
		for i := range 3 {
			s := float64(i)
			spins := frames(13, method, "App.transfer", "App.run")
			all = append(all, Observe(s, owner,
				Thread(1, "a", spins, Used(0.9*s, 9+s), Allocated(0)), Thread(2, "b", spins, Used(0.9*s, 9+s),
					Allocated(0))))
		}
		return Diagnose(all...)
	}
	sleeper := func(line int) *threaddump.Thread {
		return Thread(3, "c", frames(line, "!java.lang.Thread.sleep", "App.transfer", "App.run"), AsleepState,
			Used(0, 9))
	}
	r := look("App.lock", sleeper(15))
	Expect(t, r, "spin/warning/likely: a,b | ")
	if title := r.Findings[0].Title; !strings.Contains(title, `only poll, in App.lock; "c" holds it by its frames, and sleeps`) {
		t.Error(title)
	}
	r = look("App.lock", sleeper(11)) // before the call
	Expect(t, r, "spin/warning/likely: a,b | ")
	if title := r.Findings[0].Title; strings.Contains(title, "hold") {
		t.Error(title)
	}
	Expect(t, look("App.occupy", sleeper(15)), "spin/warning/likely: a,b | ")
	Expect(t, look("App.total", sleeper(15)), "hot-thread/warning/proven: a,b | ")
}

// Where no dump counts what a thread allocates, a computation may have such a name too.
func TestASpinNobodySharesOnJDK8(t *testing.T) {
	look := func(threads int) *analysis.Report {
		var all []timeline.Observation
		for i := range 3 {
			o := Observe(float64(i))
			for n := range threads {
				o.Dump.Threads = append(o.Dump.Threads,
					Thread(int64(1+n), string(rune('a'+n)), At("App.enter", "App.run"),
						Used(0.9*float64(i), 9+float64(i))))
			}
			all = append(all, o)
		}
		return Diagnose(all...)
	}
	Expect(t, look(1), "hot-thread/warning/proven: a | ")
	Expect(t, look(2), "spin/warning/likely: a,b | ")
}
