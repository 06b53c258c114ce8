package analysis

import (
	"testing"

	"jstall/analysis/finding"
	"jstall/analysis/stack"
	"jstall/analysis/timeline"
	"jstall/threaddump"
)

// An owner and waiters with time limits that were all woken have each met others since.
func TestALockThatTurnsOverInTime(t *testing.T) {
	look := func(cpu float64) *Report {
		var all []timeline.Observation
		for i := range 3 {
			spent := used(cpu*float64(i), 10)
			owner := thread(1, "o", at(unsafePark, stack.JUC+"SynchronousQueue.poll", "App.rotate", "App.run"), timed, owns(0xa), spent)
			audit := func(id int64) *threaddump.Thread {
				t := thread(id, "w", at(unsafePark, stack.JUC+"locks.ReentrantLock.tryLock", "App.audit", "App.run"), spent)
				t.State = threaddump.TimedWaiting
				lockOn(t, threaddump.Parking, 0xa, reentrant)
				return t
			}
			all = append(all, observe(float64(i), owner, audit(2), audit(3)))
		}
		return diagnose(all...)
	}
	expectOnly(t, look(0), finding.KindLockContention, "lock-contention/critical/proven: o | w,w")
	expectOnly(t, look(0.0005), finding.KindLockContention, "lock-contention/info/possible: o | w,w")
}

// Two dumps may show users of a lock that is soon free together by chance: the owner and all
// waiters were elsewhere in between, and are for a good part of the capture.
func TestALockThatItsUsersMeetAtTimes(t *testing.T) {
	look := func(cpu float64, rest ...part) []timeline.Observation {
		var all []timeline.Observation
		for i := range 3 {
			spent := used(cpu*float64(i), 10)
			owner := thread(1, "o", at("App.use", "App.run"), sleeping, holds(0xa), spent)
			threads := []*threaddump.Thread{owner}
			for id := range int64(3) {
				does := part(blockedOn(0xa))
				if i == 2 && id > 0 {
					does = rest[id-1]
				}
				threads = append(threads, thread(2+id, "w", at("App.use", "App.run"), does, spent))
			}
			if i == 2 {
				threads[0] = thread(1, "o", at("App.run"), sleeping, spent)
				threads[1] = thread(2, "w", at("App.use", "App.run"), sleeping, holds(0xa), spent)
			}
			all = append(all, observe(float64(i), threads...))
		}
		return all
	}
	elsewhere := part(func(t *threaddump.Thread) { at("App.run")(t); sleeping(t) })
	expectOnly(t, diagnose(look(0.002, blockedOn(0xa), elsewhere)...), finding.KindLockContention, "lock-contention/warning/proven: o | w,w,w")
	expectOnly(t, diagnose(look(0.002, elsewhere, elsewhere)...), finding.KindLockContention, "lock-contention/info/possible: o | w,w,w")
	expectOnly(t, diagnose(look(0, elsewhere, elsewhere)...), finding.KindLockContention, "lock-contention/warning/proven: o | w,w,w")
	expectOnly(t, diagnose(look(0.002, elsewhere, elsewhere)[:2]...), finding.KindLockContention, "lock-contention/warning/proven: o | w,w,w")
	others := look(0.002, elsewhere, elsewhere)[:2]
	for id := range int64(3) {
		others[1].Dump.Threads[1+id] = thread(2+id, "w", elsewhere, used(0.002, 10))
		others[1].Dump.Threads = append(others[1].Dump.Threads, thread(5+id, "x", at("App.use", "App.run"), blockedOn(0xa), used(0.002, 10)))
	}
	expectOnly(t, diagnose(others...), finding.KindLockContention, "lock-contention/warning/proven: o | x,x,x")
	crowd := look(0.002, elsewhere, elsewhere)
	for i := range 2 {
		crowd[i].Dump.Threads = append(crowd[i].Dump.Threads,
			thread(9, "x", at("App.use", "App.run"), blockedOn(0xa), used(0.002*float64(i), 10)))
	}
	expectOnly(t, diagnose(crowd...), finding.KindLockContention, "lock-contention/warning/proven: o | w,w,w,x")
}

// Who has just been given a reentrant lock may still be shown waiting for it, and keeps nobody.
func TestALockThatIsBeingHandedOver(t *testing.T) {
	waits := func(id int64, more ...part) *threaddump.Thread {
		t := thread(id, "w", append([]part{at(unsafePark, stack.JUC+"locks.ReentrantLock.tryLock", "App.audit", "App.run"), used(1, 10)}, more...)...)
		t.State = threaddump.TimedWaiting
		lockOn(t, threaddump.Parking, 0xa, reentrant)
		return t
	}
	r := diagnoseAll(same(waits(1, owns(0xa)), waits(2), waits(3)))
	for _, f := range r.Findings {
		if f.Kind == finding.KindLockContention && len(f.Culprits) > 0 {
			t.Errorf("%s", f.Title)
		}
	}
}
