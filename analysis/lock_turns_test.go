package analysis

import (
	"slices"
	"strings"
	"testing"

	"jstall/threaddump"
)

// An owner and waiters with time limits that were all woken have each met others since.
func TestALockThatTurnsOverInTime(t *testing.T) {
	look := func(cpu float64) *Report {
		var all []Observation
		for i := range 3 {
			spent := used(cpu*float64(i), 10)
			owner := thread(1, "o", at(unsafePark, juc+"SynchronousQueue.poll", "App.rotate", "App.run"), timed, owns(0xa), spent)
			audit := func(id int64) *threaddump.Thread {
				t := thread(id, "w", at(unsafePark, juc+"locks.ReentrantLock.tryLock", "App.audit", "App.run"), spent)
				t.State = threaddump.TimedWaiting
				lockOn(t, threaddump.Parking, 0xa, reentrant)
				return t
			}
			all = append(all, observe(float64(i), owner, audit(2), audit(3)))
		}
		return diagnose(all...)
	}
	expectOnly(t, look(0), KindLockContention, "lock-contention/critical/proven: o | w,w")
	expectOnly(t, look(0.0005), KindLockContention, "lock-contention/info/possible: o | w,w")
}

// Two dumps may show users of a lock that is soon free together by chance: the owner and all
// waiters were elsewhere in between, and are for a good part of the look.
func TestALockThatItsUsersMeetAtTimes(t *testing.T) {
	look := func(cpu float64, rest ...part) []Observation {
		var all []Observation
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
	expectOnly(t, diagnose(look(0.002, blockedOn(0xa), elsewhere)...), KindLockContention, "lock-contention/warning/proven: o | w,w,w")
	expectOnly(t, diagnose(look(0.002, elsewhere, elsewhere)...), KindLockContention, "lock-contention/info/possible: o | w,w,w")
	expectOnly(t, diagnose(look(0, elsewhere, elsewhere)...), KindLockContention, "lock-contention/warning/proven: o | w,w,w")
	expectOnly(t, diagnose(look(0.002, elsewhere, elsewhere)[:2]...), KindLockContention, "lock-contention/warning/proven: o | w,w,w")
	others := look(0.002, elsewhere, elsewhere)[:2]
	for id := range int64(3) {
		others[1].Dump.Threads[1+id] = thread(2+id, "w", elsewhere, used(0.002, 10))
		others[1].Dump.Threads = append(others[1].Dump.Threads, thread(5+id, "x", at("App.use", "App.run"), blockedOn(0xa), used(0.002, 10)))
	}
	expectOnly(t, diagnose(others...), KindLockContention, "lock-contention/warning/proven: o | x,x,x")
	crowd := look(0.002, elsewhere, elsewhere)
	for i := range 2 {
		crowd[i].Dump.Threads = append(crowd[i].Dump.Threads,
			thread(9, "x", at("App.use", "App.run"), blockedOn(0xa), used(0.002*float64(i), 10)))
	}
	expectOnly(t, diagnose(crowd...), KindLockContention, "lock-contention/warning/proven: o | w,w,w,x")
}

// Who has just been given a reentrant lock may still be shown waiting for it, and keeps nobody.
func TestALockThatIsBeingHandedOver(t *testing.T) {
	waits := func(id int64, more ...part) *threaddump.Thread {
		t := thread(id, "w", append([]part{at(unsafePark, juc+"locks.ReentrantLock.tryLock", "App.audit", "App.run"), used(1, 10)}, more...)...)
		t.State = threaddump.TimedWaiting
		lockOn(t, threaddump.Parking, 0xa, reentrant)
		return t
	}
	r := diagnoseAll(same(waits(1, owns(0xa)), waits(2), waits(3)))
	for _, f := range r.Findings {
		if f.Kind == KindLockContention && len(f.Culprits) > 0 {
			t.Errorf("%s", f.Title)
		}
	}
}

// Those that want a lock for some time only, in a method in which the owner never comes back to asking for it, stand by
// to take over.
func TestWhoStandsByForTheOwnerOfALock(t *testing.T) {
	const asksAt, worksAt = "App.perform:7>tryLock", "App.perform:7>sleep"
	ends := &Bytecode{Endless: map[string]bool{worksAt: true}}
	round := &Bytecode{Endless: map[string]bool{worksAt: true, asksAt: true}}
	for _, test := range []struct {
		name    string
		code    *Bytecode
		cpu     float64 // of the owner in a second
		method  string  // in which they ask
		limit   bool
		waiters int
		want    string
	}{
		{"one", ends, 0.002, "App.perform", true, 1, "lock-contention/info/possible: o | w"},
		{"two", ends, 0.002, "App.perform", true, 2, "lock-contention/info/possible: o | w,w"},
		{"the owner never woke", ends, 0, "App.perform", true, 1, "lock-contention/warning/proven: o | w"},
		{"it waits without end", ends, 0.002, "App.perform", false, 1, "lock-contention/warning/proven: o | w"},
		{"it wants something else", ends, 0.002, "App.audit", true, 1, "lock-contention/warning/proven: o | w"},
		{"the owner gives it back each time", round, 0.002, "App.perform", true, 1, "lock-contention/warning/proven: o | w"},
		{"the owner's loop may end", &Bytecode{}, 0.002, "App.perform", true, 1, "lock-contention/warning/proven: o | w"},
		{"no class file is known", nil, 0.002, "App.perform", true, 2, "lock-contention/critical/proven: o | w,w"},
	} {
		var all []Observation
		for i := range 3 {
			owner := thread(1, "o", at("App.perform", "App.run"), sleeping, owns(0xa), used(test.cpu*float64(i), 10))
			threads := []*threaddump.Thread{owner}
			for id := range test.waiters {
				w := thread(int64(2+id), "w", at(unsafePark, juc+"locks.ReentrantLock.tryLock", test.method, "App.run"), used(0, 10))
				w.State = threaddump.Waiting
				if test.limit {
					timed(w)
				}
				lockOn(w, threaddump.Parking, 0xa, reentrant)
				threads = append(threads, w)
			}
			all = append(all, observe(float64(i), threads...))
		}
		if test.code != nil {
			all = append(all, Observation{Bytecode: test.code})
		}
		t.Run(test.name, func(t *testing.T) {
			r := diagnose(all...)
			expectOnly(t, r, KindLockContention, test.want)
			told := slices.ContainsFunc(r.Findings, func(f Finding) bool { return strings.Contains(f.Evidence[0].Text, "may stand by") })
			if told != strings.Contains(test.want, "info") {
				t.Errorf("told of as a stand-by: %v", told)
			}
		})
	}
}
