package lockcontention_test

import (
	"testing"

	"github.com/jstall/jstall/analysis"
	"github.com/jstall/jstall/analysis/finding"
	. "github.com/jstall/jstall/analysis/internal/dumptest"
	"github.com/jstall/jstall/analysis/stack"
	"github.com/jstall/jstall/analysis/timeline"
	"github.com/jstall/jstall/threaddump"
)

// An owner and waiters with time limits that were all woken have each met others since.
func TestALockThatTurnsOverInTime(t *testing.T) {
	look := func(cpu float64) *analysis.Report {
		var all []timeline.Observation
		for i := range 3 {
			spent := Used(cpu*float64(i), 10)
			owner := Thread(1, "o", At(UnsafePark, stack.JUC+"SynchronousQueue.poll", "App.rotate", "App.run"), Timed,
				Owns(0xa), spent)
			audit := func(id int64) *threaddump.Thread {
				t := Thread(id, "w", At(UnsafePark, stack.JUC+"locks.ReentrantLock.tryLock", "App.audit", "App.run"),
					spent)
				t.State = threaddump.TimedWaiting
				LockOn(t, threaddump.Parking, 0xa, Reentrant)
				return t
			}
			all = append(all, Observe(float64(i), owner, audit(2), audit(3)))
		}
		return Diagnose(all...)
	}
	ExpectOnly(t, look(0), finding.KindLockContention, "lock-contention/critical/proven: o | w,w")
	ExpectOnly(t, look(0.0005), finding.KindLockContention, "lock-contention/info/possible: o | w,w")
}

// Two dumps may show users of a lock that is soon free together by chance: the owner and all
// waiters were elsewhere in between, and are for a good part of the capture.
func TestALockThatItsUsersMeetAtTimes(t *testing.T) {
	look := func(cpu float64, rest ...Part) []timeline.Observation {
		var all []timeline.Observation
		for i := range 3 {
			spent := Used(cpu*float64(i), 10)
			owner := Thread(1, "o", At("App.use", "App.run"), Sleeping, Holds(0xa), spent)
			threads := []*threaddump.Thread{owner}
			for id := range int64(3) {
				does := Part(BlockedOn(0xa))
				if i == 2 && id > 0 {
					does = rest[id-1]
				}
				threads = append(threads, Thread(2+id, "w", At("App.use", "App.run"), does, spent))
			}
			if i == 2 {
				threads[0] = Thread(1, "o", At("App.run"), Sleeping, spent)
				threads[1] = Thread(2, "w", At("App.use", "App.run"), Sleeping, Holds(0xa), spent)
			}
			all = append(all, Observe(float64(i), threads...))
		}
		return all
	}
	elsewhere := Part(func(t *threaddump.Thread) { At("App.run")(t); Sleeping(t) })
	ExpectOnly(t, Diagnose(look(0.002, BlockedOn(0xa), elsewhere)...), finding.KindLockContention,
		"lock-contention/warning/proven: o | w,w,w")
	ExpectOnly(t, Diagnose(look(0.002, elsewhere, elsewhere)...), finding.KindLockContention,
		"lock-contention/info/possible: o | w,w,w")
	ExpectOnly(t, Diagnose(look(0, elsewhere, elsewhere)...), finding.KindLockContention,
		"lock-contention/warning/proven: o | w,w,w")
	ExpectOnly(t, Diagnose(look(0.002, elsewhere, elsewhere)[:2]...), finding.KindLockContention,
		"lock-contention/warning/proven: o | w,w,w")
	others := look(0.002, elsewhere, elsewhere)[:2]
	for id := range int64(3) {
		others[1].Dump.Threads[1+id] = Thread(2+id, "w", elsewhere, Used(0.002, 10))
		others[1].Dump.Threads = append(others[1].Dump.Threads,
			Thread(5+id, "x", At("App.use", "App.run"), BlockedOn(0xa), Used(0.002, 10)))
	}
	ExpectOnly(t, Diagnose(others...), finding.KindLockContention, "lock-contention/warning/proven: o | x,x,x")
	crowd := look(0.002, elsewhere, elsewhere)
	for i := range 2 {
		crowd[i].Dump.Threads = append(crowd[i].Dump.Threads,
			Thread(9, "x", At("App.use", "App.run"), BlockedOn(0xa), Used(0.002*float64(i), 10)))
	}
	ExpectOnly(t, Diagnose(crowd...), finding.KindLockContention, "lock-contention/warning/proven: o | w,w,w,x")
}

// A thread that has just been given a reentrant lock may still be shown waiting for it, and blocks no other thread.
func TestALockThatIsBeingHandedOver(t *testing.T) {
	waits := func(id int64, more ...Part) *threaddump.Thread {
		t := Thread(id, "w",
			append([]Part{At(UnsafePark, stack.JUC+"locks.ReentrantLock.tryLock", "App.audit", "App.run"), Used(1, 10)},
				more...)...)
		t.State = threaddump.TimedWaiting
		LockOn(t, threaddump.Parking, 0xa, Reentrant)
		return t
	}
	r := DiagnoseAll(Same(waits(1, Owns(0xa)), waits(2), waits(3)))
	for _, f := range r.Findings {
		if f.Kind == finding.KindLockContention && len(f.Culprits) > 0 {
			t.Errorf("%s", f.Title)
		}
	}
}
