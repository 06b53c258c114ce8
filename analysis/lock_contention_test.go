package analysis

import (
	"fmt"
	"strings"
	"testing"

	"jstall/analysis/finding"
	"jstall/analysis/stack"
	"jstall/analysis/timeline"
	"jstall/threaddump"
)

// behind makes n threads that wait for a monitor.
func behind(n int, address uint64) []*threaddump.Thread {
	var threads []*threaddump.Thread
	for i := range n {
		threads = append(threads, thread(int64(50+i), string(rune('p'+i)), at("App.use"), blockedOn(address)))
	}
	return threads
}

func nativeWait(t *threaddump.Thread) { t.Condition = stack.InObjectWait }

func parkedOnPool(t *threaddump.Thread) {
	t.State, t.StateDetail, t.Condition = threaddump.Waiting, "parking", "waiting on condition"
	t.Stack = trace("!jdk.internal.misc.Unsafe.park", "org.acme.Pool.awaitTask")
	lockOn(t, threaddump.Parking, 0xa, "org.acme.Pool")
}

// chained are threads behind a monitor, its owner behind a lock, that one's owner
// behind another monitor, whose owner sleeps.
func chained(audit ...part) []*threaddump.Thread {
	audit = append([]part{at("Store.note", "App.run"), blockedOn(0xc)}, audit...)
	return append(behind(3, 0xa),
		thread(1, "web", at("Store.read", "App.run"), parkedFor(0xb), holds(0xa)),
		thread(2, "audit", audit...),
		thread(3, "rotator", at("Log.rotate", "App.run"), sleeping, holds(0xc)))
}

// handed makes a thread that has got a monitor while the JVM stopped for the dump.
func handed(address uint64) part {
	return func(t *threaddump.Thread) {
		t.State, t.Condition = threaddump.Blocked, "waiting for monitor entry"
		holds(address)(t)
	}
}

// forgotten are threads behind a lock that an idle worker owns.
func forgotten() []*threaddump.Thread {
	return []*threaddump.Thread{
		thread(1, "pool-1-thread-1", idleAt(0xc), owns(0xa)),
		thread(2, "x", at("Box.open"), parkedFor(0xa)), thread(3, "y", at("Box.open"), parkedFor(0xa)),
	}
}

func TestContention(t *testing.T) {
	with := func(queue []*threaddump.Thread, others ...*threaddump.Thread) []*threaddump.Thread {
		return append(others, queue...)
	}
	sleeper := func() *threaddump.Thread { return thread(1, "s", at("App.nap"), sleeping, holds(0xa)) }
	owner := func(id int64, name string) *threaddump.Thread { return thread(id, name, holds(0xa)) }
	tests := []struct {
		name  string
		dumps [][]*threaddump.Thread
		want  []string
		title string
	}{
		{
			name:  "one waiter is nothing",
			dumps: [][]*threaddump.Thread{with(behind(1, 0xa), sleeper()), with(behind(1, 0xa), sleeper())},
		},
		{
			name:  "one dump is a hint",
			dumps: [][]*threaddump.Thread{with(behind(2, 0xa), sleeper())},
			want:  []string{"lock-contention/info/possible: s | p,q"},
		},
		{
			name:  "a stuck owner",
			dumps: [][]*threaddump.Thread{with(behind(2, 0xa), sleeper()), with(behind(2, 0xa), sleeper())},
			want:  []string{"lock-contention/critical/proven: s | p,q"},
			title: `2 threads wait for a java.lang.Object held by "s", which sleeps`,
		},
		{
			name: "the collector moved the lock",
			dumps: [][]*threaddump.Thread{
				with(behind(2, 0xa), sleeper()),
				with(behind(2, 0xf), thread(1, "s", at("App.nap"), sleeping, holds(0xf))),
			},
			want: []string{"lock-contention/critical/proven: s | p,q"},
		},
		{
			name: "a chain ends at the thread that waits for no lock",
			dumps: [][]*threaddump.Thread{
				with(behind(2, 0xb), thread(2, "middle", blockedOn(0xa), holds(0xb)), sleeper()),
				with(behind(2, 0xb), thread(2, "middle", blockedOn(0xa), holds(0xb)), sleeper()),
			},
			want: []string{"lock-contention/critical/proven: s | middle,p,q"},
		},
		{
			name: "an owner that works",
			dumps: [][]*threaddump.Thread{
				with(behind(2, 0xa), thread(1, "s", at("App.one"), holds(0xa))),
				with(behind(2, 0xa), thread(1, "s", at("App.two"), holds(0xa))),
			},
			want:  []string{"lock-contention/warning/proven: s | p,q"},
			title: `2 threads wait for a java.lang.Object held by "s", which runs`,
		},
		{
			name: "a lock that goes round",
			dumps: [][]*threaddump.Thread{
				with(behind(3, 0xa), owner(1, "s")), with(behind(3, 0xa), owner(2, "t")),
			},
			want:  []string{"lock-contention/warning/proven: t | p,q,r"},
			title: `3 threads wait for a java.lang.Object whose owner changes, last held by "t"`,
		},
		{
			name: "a lock that goes round while its owners write",
			dumps: [][]*threaddump.Thread{
				with(behind(3, 0xa), thread(1, "s", at("!java.io.FileOutputStream.writeBytes", "App.note"), holds(0xa))),
				with(behind(3, 0xa), thread(2, "t", at("!java.io.FileOutputStream.writeBytes", "App.note"), holds(0xa))),
			},
			want:  []string{"lock-contention/warning/proven: t | p,q,r"},
			title: `3 threads wait for a java.lang.Object whose owner changes, last held by "t"; its owners write while holding it`,
		},
		{
			name: "owners that were handed the lock just before each dump",
			dumps: [][]*threaddump.Thread{
				with(behind(3, 0xa), thread(1, "s", at("App.use"), handed(0xa))), with(behind(3, 0xa), thread(2, "t", at("App.use"), handed(0xa))),
			},
			want:  []string{"lock-contention/warning/proven: t | p,q,r"},
			title: `3 threads wait for a java.lang.Object whose owner changes, last held by "t"`,
		},
		{
			name: "an owner that the dump does not show",
			dumps: [][]*threaddump.Thread{
				{thread(1, "x", parkedFor(0xa)), thread(2, "y", parkedFor(0xa))},
				{thread(1, "x", parkedFor(0xa)), thread(2, "y", parkedFor(0xa))},
			},
			want: []string{"lock-contention/warning/likely:  | x,y"},
		},
		{
			name:  "the last dump alone tells an owner in the chain",
			dumps: [][]*threaddump.Thread{chained(), chained(), chained(owns(0xb))},
			want:  []string{"lock-contention/critical/proven: rotator | audit,p,q,r,web"},
			title: `5 threads wait, 4 of them behind other waiters, for a java.lang.Object held by "rotator", which sleeps`,
		},
		{
			name:  "the first dump alone tells an owner in the chain",
			dumps: [][]*threaddump.Thread{chained(owns(0xb)), chained(), chained()},
			want:  []string{"lock-contention/critical/proven: rotator | audit,p,q,r,web"},
		},
		{
			name: "the owner that the last dump tells was elsewhere before",
			dumps: [][]*threaddump.Thread{
				chained(at("Store.load", "App.run")), chained(at("Store.load", "App.run")), chained(owns(0xb)),
			},
			want:  []string{"lock-contention/warning/proven: rotator | audit,p,q,r,web"},
			title: `5 threads wait, 4 of them behind other waiters, for a java.lang.Object held by "rotator", which sleeps`,
		},
		{
			name:  "an idle worker that an earlier task left with the lock",
			dumps: [][]*threaddump.Thread{forgotten(), forgotten(), forgotten()},
			want:  []string{"lock-contention/critical/proven: pool-1-thread-1 | x,y"},
			title: `2 threads wait for a ReentrantLock held by "pool-1-thread-1", which is idle: an earlier task did not release the lock`,
		},
		{
			name: "a queue that is gone again in most dumps",
			dumps: [][]*threaddump.Thread{
				with(behind(2, 0xa), sleeper()), {thread(1, "s")}, {thread(1, "s")}, {thread(1, "s")}, {thread(1, "s")},
			},
			want: []string{"lock-contention/info/possible: s | p,q"},
		},
		{
			name: "threads behind a static initialiser, before 17",
			dumps: [][]*threaddump.Thread{
				{thread(1, "s", at("One.<clinit>"), sleeping), thread(2, "x", nativeWait), thread(3, "y", nativeWait)},
				{thread(1, "s", at("One.<clinit>"), sleeping), thread(2, "x", nativeWait), thread(3, "y", nativeWait)},
			},
			want:  []string{"lock-contention/critical/likely: s | x,y"},
			title: `2 threads wait for the initialisation of a class run by "s", which sleeps`,
		},
		{
			name: "idle workers that park on their pool stand in no queue",
			dumps: [][]*threaddump.Thread{
				{thread(1, "x", parkedOnPool), thread(2, "y", parkedOnPool)},
				{thread(1, "x", parkedOnPool), thread(2, "y", parkedOnPool)},
			},
		},
		{
			name: "threads that wait on a condition or for work stand in no queue",
			dumps: [][]*threaddump.Thread{
				{thread(1, "x", waiting(0xa)), thread(2, "y", waiting(0xa)), idleServer(60)},
				{thread(1, "x", waiting(0xa)), thread(2, "y", waiting(0xa)), idleServer(60)},
			},
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			var all []timeline.Observation
			for i, threads := range test.dumps {
				all = append(all, observe(float64(i), threads...))
			}
			r := diagnose(all...)
			expect(t, r, test.want...)
			if test.title != "" && r.Findings[0].Title != test.title {
				t.Errorf("title %q, want %q", r.Findings[0].Title, test.title)
			}
		})
	}
}

// Where threads may be lost from the dump, one of them may be the owner.
func TestContentionWhereThreadsMayBeLost(t *testing.T) {
	threads := []*threaddump.Thread{thread(1, "x", parkedFor(0xa)), thread(2, "y", parkedFor(0xa))}
	expect(t, diagnose(unlisted(0, threads...), unlisted(1, threads...)), "lock-contention/warning/likely:  | x,y")
}

// A queue behind a deadlock is explained by it and stands right after it.
func TestContentionBehindDeadlock(t *testing.T) {
	threads := append(crossed(), behind(3, 0xa0)...)
	threads = append(threads, thread(1, "s", sleeping, holds(0xe)))
	for i := range 4 {
		threads = append(threads, thread(int64(80+i), "other", blockedOn(0xe)))
	}
	r := diagnose(observe(0, threads...), observe(1, threads...))
	expect(t, r,
		"deadlock/critical/proven: a,b | p,q,r",
		"lock-contention/critical/proven: a | p,q,r < deadlock-1",
		"lock-contention/critical/proven: s | other,other,other,other",
	)
	if !strings.HasSuffix(r.Verdict.Summary, "(and 1 more finding)") {
		t.Errorf("summary %q", r.Verdict.Summary)
	}
}

func TestOnlyTheKindsAskedFor(t *testing.T) {
	s := timeline.NewSeries()
	s.Add(saved(dump(append(crossed(), behind(3, 0xa0)...)...)))
	r := Diagnose(s, Options{Kinds: []finding.Kind{finding.KindLockContention}})
	expect(t, r, "lock-contention/info/possible: a | p,q,r")
	if r.Verdict.State == Deadlocked {
		t.Error("the verdict rests on a kind that was not asked for")
	}
}

func TestALookForDeadlocksAloneClaimsNothingElse(t *testing.T) {
	only := Options{Kinds: []finding.Kind{finding.KindDeadlock, finding.KindPoolDeadlock}}
	fine, stuck := timeline.NewSeries(), timeline.NewSeries()
	fine.Add(saved(dump(behind(3, 0xa0)...)))
	stuck.Add(saved(dump(crossed()...)))
	if r := Diagnose(fine, only); r.Verdict != (Verdict{NoDeadlock, "no deadlock in 1 dump; nothing else was checked"}) {
		t.Errorf("%+v", r.Verdict)
	}
	if r := Diagnose(stuck, only); r.Verdict.State != Deadlocked {
		t.Errorf("%+v", r.Verdict)
	}
	perhaps := timeline.NewSeries()
	perhaps.Add(saved(dump(
		thread(1, "a", parkedFor(0xa), owns(0xb), timed), thread(2, "b", parkedFor(0xb), owns(0xa), timed))))
	if r := Diagnose(perhaps, only); r.Verdict.State != NoDeadlock ||
		!strings.HasPrefix(r.Verdict.Summary, "no proven deadlock in 1 dump; possible deadlock: ") {
		t.Errorf("%+v", r.Verdict)
	}
}

// Who waits for the lock that the one who wants a permit keeps has no permit if it
// stands in a line before the one that asks for them.
func TestPermitsAreNotHeldByWhoHasNotAskedYet(t *testing.T) {
	const permits = stack.JUC + "Semaphore$NonfairSync"
	inLine := func(n int, frames ...string) part {
		return func(th *threaddump.Thread) {
			th.Stack = trace(frames...)
			for _, f := range th.Stack {
				if f.Class == "Press" {
					f.Line, f.Text = n, fmt.Sprintf("%s(Press.java:%d)", f.Name(), n)
				}
			}
		}
	}
	parked := func(address uint64, class string) part {
		return func(th *threaddump.Thread) {
			th.State = threaddump.Waiting
			lockOn(th, threaddump.Parking, address, class)
		}
	}
	asks := thread(1, "a", inLine(10, unsafePark, stack.JUC+"Semaphore.acquire", "Press.use", "Shift.work"), parked(0xb, permits), owns(0xa), used(1, 9))
	waited := func(id int64, line int) *threaddump.Thread {
		return thread(id, "q", inLine(line, unsafePark, stack.JUC+"locks.ReentrantLock.lock", "Press.use", "Shift.work"), parked(0xa, reentrant), used(1, 9))
	}
	for line, deadlocks := range map[int]int{8: 0, 12: 1} {
		all := same(asks, waited(2, line))
		if got := ofKinds(diagnoseAll(append(all, all...)), finding.KindDeadlock); len(got) != deadlocks {
			t.Errorf("line %d: %q", line, got)
		}
	}
}

// An owner that waits for a signal keeps out who may be to give it, if it comes from the
// same class.
func TestWhoWaitsForASignalWithAnotherLock(t *testing.T) {
	owner := thread(1, "a", at("Book.ask", "Book.take", "java.lang.Thread.run"), waiting(0xb), holds(0xa), used(1, 9))
	for frame, want := range map[string]string{"Book.approve": "Do not hold another lock during a wait", "Till.sell": "Do not wait while holding this lock"} {
		blocked := func(id int64) *threaddump.Thread {
			return thread(id, "b", at(frame, "java.lang.Thread.run"), blockedOn(0xa), used(1, 9))
		}
		r := diagnoseAll(same(owner, blocked(2), blocked(3)))
		if len(r.Findings) == 0 || !strings.HasPrefix(r.Findings[0].Advice, want) {
			t.Errorf("%s: %q", frame, found(r))
		}
	}
}

// A lock whose owner no dump tells, and that flows, is busy only if it is so in most dumps.
func TestALockWithoutAKnownOwner(t *testing.T) {
	wait := func(id int64, cpu float64) *threaddump.Thread {
		t := thread(id, "r", at(unsafePark, stack.JUC+"locks.ReentrantReadWriteLock$ReadLock.lock", "App.quote", "App.run"), used(cpu, 10))
		t.State = threaddump.Waiting
		lockOn(t, threaddump.Parking, 0xa, stack.JUC+"locks.ReentrantReadWriteLock$FairSync")
		return t
	}
	rest := func(id int64, cpu float64) *threaddump.Thread {
		return thread(id, "r", at("!java.lang.Thread.sleep", "App.pause", "App.run"), sleeping, used(cpu, 10))
	}
	look := func(cpu float64, waits ...bool) *Report {
		var all []timeline.Observation
		for i, w := range waits {
			stand := rest
			if w {
				stand = wait
			}
			all = append(all, observe(float64(i), stand(1, cpu*float64(i)), stand(2, cpu*float64(i)), rest(3, cpu*float64(i))))
		}
		return diagnose(all...)
	}
	expectOnly(t, look(0.01, true, true, true), finding.KindLockContention, "lock-contention/warning/likely:  | r,r")
	expectOnly(t, look(0.01, true, false, true), finding.KindLockContention, "lock-contention/info/possible:  | r,r")
}
