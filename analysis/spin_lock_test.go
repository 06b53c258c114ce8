package analysis

import (
	"strings"
	"testing"

	"jstall/analysis/timeline"
	"jstall/threaddump"
)

// A lock that is made of a loop shows no call once it is compiled: its method's name, the
// one line and who has gone on tell it from work.
func TestLocksThatSpin(t *testing.T) {
	frames := func(line int, names ...string) part {
		return func(t *threaddump.Thread) {
			t.Stack = trace(names...)
			t.Stack[len(names)-2].Line = line // of App.transfer, called by App.run
		}
	}
	look := func(method string, owner *threaddump.Thread) *Report {
		var all []timeline.Observation
		for i := range 3 {
			s := float64(i)
			spins := frames(13, method, "App.transfer", "App.run")
			all = append(all, observe(s, owner,
				thread(1, "a", spins, used(0.9*s, 9+s), allocated(0)), thread(2, "b", spins, used(0.9*s, 9+s), allocated(0))))
		}
		return diagnose(all...)
	}
	sleeper := func(line int) *threaddump.Thread {
		return thread(3, "c", frames(line, "!java.lang.Thread.sleep", "App.transfer", "App.run"), asleepState, used(0, 9))
	}
	r := look("App.lock", sleeper(15))
	expect(t, r, "spin/warning/likely: a,b | ")
	if title := r.Findings[0].Title; !strings.Contains(title, `only poll, in App.lock; "c" holds it by its frames, and sleeps`) {
		t.Error(title)
	}
	r = look("App.lock", sleeper(11)) // before the call
	expect(t, r, "spin/warning/likely: a,b | ")
	if title := r.Findings[0].Title; strings.Contains(title, "hold") {
		t.Error(title)
	}
	expect(t, look("App.occupy", sleeper(15)), "spin/warning/likely: a,b | ")
	expect(t, look("App.total", sleeper(15)), "hot-thread/warning/proven: a,b | ")
}

// Where no dump counts what a thread allocates, a computation may have such a name too.
func TestASpinNobodySharesOnJDK8(t *testing.T) {
	look := func(threads int) *Report {
		var all []timeline.Observation
		for i := range 3 {
			o := observe(float64(i))
			for n := range threads {
				o.Dump.Threads = append(o.Dump.Threads, thread(int64(1+n), string(rune('a'+n)), at("App.enter", "App.run"), used(0.9*float64(i), 9+float64(i))))
			}
			all = append(all, o)
		}
		return diagnose(all...)
	}
	expect(t, look(1), "hot-thread/warning/proven: a | ")
	expect(t, look(2), "spin/warning/likely: a,b | ")
}
