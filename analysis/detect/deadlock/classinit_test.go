package deadlock_test

import (
	"testing"

	. "github.com/jstall/jstall/analysis/internal/dumptest"
	"github.com/jstall/jstall/analysis/stack"
	"github.com/jstall/jstall/analysis/timeline"
	"github.com/jstall/jstall/threaddump"
)

// Of several threads that wait for a class no dump shows which one is about to initialise a subclass of it.
func TestSeveralWaitForTheSuperclass(t *testing.T) {
	for _, test := range []struct {
		named bool
		want  string
	}{
		{true, "lock-contention/critical/proven: a | b,c"},
		{false, "lock-contention/critical/likely: a | b,c"},
	} {
		waitFor := func(class string) Part { return waitsForClass(class, test.named) }
		look := func(sec float64) timeline.Observation {
			o := Observe(sec, Thread(1, "a", At("Base.<clinit>", "App.run"), waitFor("Sub")),
				Thread(2, "b", At("App.one"), waitFor("Base")), Thread(3, "c", At("App.two"), waitFor("Base")))
			o.Dump.SMR = &threaddump.SMR{Length: 3}
			return o
		}
		Expect(t, Diagnose(look(0), look(1)), test.want)
	}
}

// waitsForClass waits for the initialisation of a class, which only newer JVMs name.
func waitsForClass(class string, named bool) Part {
	return func(th *threaddump.Thread) {
		th.Condition = stack.InObjectWait
		if named {
			LockOn(th, threaddump.WaitingForClassInit, 0, class)
		}
	}
}

// A real dump of three threads, one in the static initialiser of a class, for which the others wait.
func TestADumpOfSeveralBehindASuperclass(t *testing.T) {
	Expect(t, Diagnose(Saved(ReadDump(t, "superclass.txt"))), "lock-contention/warning/likely: t-1 | t-2,t-3")
}
