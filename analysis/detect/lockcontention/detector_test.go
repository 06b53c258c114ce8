package lockcontention_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/jstall/jstall/analysis"
	"github.com/jstall/jstall/analysis/finding"
	. "github.com/jstall/jstall/analysis/internal/dumptest"
	"github.com/jstall/jstall/analysis/stack"
	"github.com/jstall/jstall/analysis/timeline"
	"github.com/jstall/jstall/threaddump"
)

func parkedOnPool(t *threaddump.Thread) {
	t.State, t.StateDetail, t.Condition = threaddump.Waiting, "parking", "waiting on condition"
	t.Stack = Trace("!jdk.internal.misc.Unsafe.park", "org.acme.Pool.awaitTask")
	LockOn(t, threaddump.Parking, 0xa, "org.acme.Pool")
}

// chained are threads behind a monitor, its owner behind a lock, that one's owner
// behind another monitor, whose owner sleeps.
func chained(audit ...Part) []*threaddump.Thread {
	audit = append([]Part{At("Store.note", "App.run"), BlockedOn(0xc)}, audit...)
	return append(Behind(3, 0xa),
		Thread(1, "web", At("Store.read", "App.run"), ParkedFor(0xb), Holds(0xa)),
		Thread(2, "audit", audit...),
		Thread(3, "rotator", At("Log.rotate", "App.run"), Sleeping, Holds(0xc)))
}

// forgotten are threads behind a lock that an idle worker owns.
func forgotten() []*threaddump.Thread {
	return []*threaddump.Thread{
		Thread(1, "pool-1-thread-1", IdleAt(0xc), Owns(0xa)),
		Thread(2, "x", At("Box.open"), ParkedFor(0xa)), Thread(3, "y", At("Box.open"), ParkedFor(0xa)),
	}
}

func TestContention(t *testing.T) {
	with := func(queue []*threaddump.Thread, others ...*threaddump.Thread) []*threaddump.Thread {
		return append(others, queue...)
	}
	sleeper := func() *threaddump.Thread { return Thread(1, "s", At("App.nap"), Sleeping, Holds(0xa)) }
	owner := func(id int64, name string) *threaddump.Thread { return Thread(id, name, Holds(0xa)) }
	tests := []struct {
		name  string
		dumps [][]*threaddump.Thread
		want  []string
		title string
	}{
		{
			name:  "one waiter is nothing",
			dumps: [][]*threaddump.Thread{with(Behind(1, 0xa), sleeper()), with(Behind(1, 0xa), sleeper())},
		},
		{
			name:  "one dump is a hint",
			dumps: [][]*threaddump.Thread{with(Behind(2, 0xa), sleeper())},
			want:  []string{"lock-contention/info/possible: s | p,q"},
		},
		{
			name:  "a stuck owner",
			dumps: [][]*threaddump.Thread{with(Behind(2, 0xa), sleeper()), with(Behind(2, 0xa), sleeper())},
			want:  []string{"lock-contention/critical/proven: s | p,q"},
			title: `2 threads wait for a java.lang.Object held by "s", which sleeps`,
		},
		{
			name: "the collector moved the lock",
			dumps: [][]*threaddump.Thread{
				with(Behind(2, 0xa), sleeper()),
				with(Behind(2, 0xf), Thread(1, "s", At("App.nap"), Sleeping, Holds(0xf))),
			},
			want: []string{"lock-contention/critical/proven: s | p,q"},
		},
		{
			name: "a chain ends at the thread that waits for no lock",
			dumps: [][]*threaddump.Thread{
				with(Behind(2, 0xb), Thread(2, "middle", BlockedOn(0xa), Holds(0xb)), sleeper()),
				with(Behind(2, 0xb), Thread(2, "middle", BlockedOn(0xa), Holds(0xb)), sleeper()),
			},
			want: []string{"lock-contention/critical/proven: s | middle,p,q"},
		},
		{
			name: "an owner that works",
			dumps: [][]*threaddump.Thread{
				with(Behind(2, 0xa), Thread(1, "s", At("App.one"), Holds(0xa))),
				with(Behind(2, 0xa), Thread(1, "s", At("App.two"), Holds(0xa))),
			},
			want:  []string{"lock-contention/warning/proven: s | p,q"},
			title: `2 threads wait for a java.lang.Object held by "s", which runs`,
		},
		{
			name: "a lock that goes round",
			dumps: [][]*threaddump.Thread{
				with(Behind(3, 0xa), owner(1, "s")), with(Behind(3, 0xa), owner(2, "t")),
			},
			want:  []string{"lock-contention/warning/proven: t | p,q,r"},
			title: `3 threads wait for a java.lang.Object whose owner changes, last held by "t"`,
		},
		{
			name: "a lock that goes round while its owners write",
			dumps: [][]*threaddump.Thread{
				with(Behind(3, 0xa),
					Thread(1, "s", At("!java.io.FileOutputStream.writeBytes", "App.note"), Holds(0xa))),
				with(Behind(3, 0xa),
					Thread(2, "t", At("!java.io.FileOutputStream.writeBytes", "App.note"), Holds(0xa))),
			},
			want:  []string{"lock-contention/warning/proven: t | p,q,r"},
			title: `3 threads wait for a java.lang.Object whose owner changes, last held by "t"`,
		},
		{
			name: "owners that were handed the lock just before each dump",
			dumps: [][]*threaddump.Thread{
				with(Behind(3, 0xa), Thread(1, "s", At("App.use"), Handed(0xa))), with(Behind(3, 0xa),
					Thread(2, "t", At("App.use"), Handed(0xa))),
			},
			want:  []string{"lock-contention/warning/proven: t | p,q,r"},
			title: `3 threads wait for a java.lang.Object whose owner changes, last held by "t"`,
		},
		{
			name: "an owner that the dump does not show",
			dumps: [][]*threaddump.Thread{
				{Thread(1, "x", ParkedFor(0xa)), Thread(2, "y", ParkedFor(0xa))},
				{Thread(1, "x", ParkedFor(0xa)), Thread(2, "y", ParkedFor(0xa))},
			},
			want: []string{"lock-contention/warning/likely:  | x,y"},
		},
		{
			name:  "only the last dump shows an owner in the chain",
			dumps: [][]*threaddump.Thread{chained(), chained(), chained(Owns(0xb))},
			want:  []string{"lock-contention/critical/proven: rotator | audit,p,q,r,web"},
			title: `5 threads wait, 4 of them behind other waiters, for a java.lang.Object held by "rotator", which sleeps`,
		},
		{
			name:  "only the first dump shows an owner in the chain",
			dumps: [][]*threaddump.Thread{chained(Owns(0xb)), chained(), chained()},
			want:  []string{"lock-contention/critical/proven: rotator | audit,p,q,r,web"},
		},
		{
			name: "the owner in the last dump was elsewhere before",
			dumps: [][]*threaddump.Thread{
				chained(At("Store.load", "App.run")), chained(At("Store.load", "App.run")), chained(Owns(0xb)),
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
				with(Behind(2, 0xa), sleeper()), {Thread(1, "s")}, {Thread(1, "s")}, {Thread(1, "s")}, {Thread(1, "s")},
			},
		},
		{
			name: "two threads that one of three dumps shows, at a lock that one of them had before",
			dumps: [][]*threaddump.Thread{
				{Thread(1, "a", Owns(0xa)), Thread(2, "b", ParkedFor(0xa))},
				{Thread(1, "a"), Thread(2, "b")},
				{Thread(1, "a", ParkedFor(0xa)), Thread(2, "b", ParkedFor(0xa))},
			},
		},
		{
			name: "threads behind a static initialiser, before 17",
			dumps: [][]*threaddump.Thread{
				{Thread(1, "s", At("One.<clinit>"), Sleeping), Thread(2, "x", NativeWait), Thread(3, "y", NativeWait)},
				{Thread(1, "s", At("One.<clinit>"), Sleeping), Thread(2, "x", NativeWait), Thread(3, "y", NativeWait)},
			},
			want:  []string{"lock-contention/critical/likely: s | x,y"},
			title: `2 threads wait for the initialisation of a class run by "s", which sleeps`,
		},
		{
			name: "idle workers that park on their pool are in no queue",
			dumps: [][]*threaddump.Thread{
				{Thread(1, "x", parkedOnPool), Thread(2, "y", parkedOnPool)},
				{Thread(1, "x", parkedOnPool), Thread(2, "y", parkedOnPool)},
			},
		},
		{
			name: "threads that wait on a condition or for work are in no queue",
			dumps: [][]*threaddump.Thread{
				{Thread(1, "x", Waiting(0xa)), Thread(2, "y", Waiting(0xa)), IdleServer(60)},
				{Thread(1, "x", Waiting(0xa)), Thread(2, "y", Waiting(0xa)), IdleServer(60)},
			},
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			var all []timeline.Observation
			for i, threads := range test.dumps {
				all = append(all, Observe(float64(i), threads...))
			}
			r := Diagnose(all...)
			Expect(t, r, test.want...)
			if test.title != "" && r.Findings[0].Title != test.title {
				t.Errorf("title %q, want %q", r.Findings[0].Title, test.title)
			}
		})
	}
}

// Where threads may be lost from the dump, one of them may be the owner.
func TestContentionWhereThreadsMayBeLost(t *testing.T) {
	threads := []*threaddump.Thread{Thread(1, "x", ParkedFor(0xa)), Thread(2, "y", ParkedFor(0xa))}
	Expect(t, Diagnose(Unlisted(0, threads...), Unlisted(1, threads...)), "lock-contention/warning/likely:  | x,y")
}

// A queue behind a deadlock is explained by it and comes right after it.
func TestContentionBehindDeadlock(t *testing.T) {
	threads := append(Crossed(), Behind(3, 0xa0)...)
	threads = append(threads, Thread(1, "s", Sleeping, Holds(0xe)))
	for i := range 4 {
		threads = append(threads, Thread(int64(80+i), "other", BlockedOn(0xe)))
	}
	r := Diagnose(Observe(0, threads...), Observe(1, threads...))
	Expect(t, r,
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
	s.Add(Saved(Dump(append(Crossed(), Behind(3, 0xa0)...)...)))
	r := analysis.Diagnose(s, analysis.Options{Kinds: []finding.Kind{finding.KindLockContention}})
	Expect(t, r, "lock-contention/info/possible: a | p,q,r")
	if r.Verdict.State == analysis.Deadlocked {
		t.Error("the verdict rests on a kind that was not asked for")
	}
}

func TestALookForDeadlocksAloneClaimsNothingElse(t *testing.T) {
	only := analysis.Options{Kinds: []finding.Kind{finding.KindDeadlock, finding.KindPoolDeadlock}}
	fine, stuck := timeline.NewSeries(), timeline.NewSeries()
	fine.Add(Saved(Dump(Behind(3, 0xa0)...)))
	stuck.Add(Saved(Dump(Crossed()...)))
	if r := analysis.Diagnose(fine,
		only); r.Verdict != (analysis.Verdict{State: analysis.NoDeadlock,
		Summary: "no deadlock among platform threads in 1 dump; nothing else was checked"}) {
		t.Errorf("%+v", r.Verdict)
	}
	if r := analysis.Diagnose(stuck, only); r.Verdict.State != analysis.Deadlocked {
		t.Errorf("%+v", r.Verdict)
	}
	perhaps := timeline.NewSeries()
	perhaps.Add(Saved(Dump(
		Thread(1, "a", ParkedFor(0xa), Owns(0xb), Timed), Thread(2, "b", ParkedFor(0xb), Owns(0xa), Timed))))
	const summary = "no proven deadlock among platform threads in 1 dump; possible deadlock: "
	if r := analysis.Diagnose(perhaps, only); r.Verdict.State != analysis.NoDeadlock ||
		!strings.HasPrefix(r.Verdict.Summary, summary) {
		t.Errorf("%+v", r.Verdict)
	}
}

// A lock without a known owner whose waiters change is busy only if it is so in most dumps.
func TestALockWithoutAKnownOwner(t *testing.T) {
	wait := func(id int64, cpu float64) *threaddump.Thread {
		t := Thread(id, "r",
			At(UnsafePark, stack.JUC+"locks.ReentrantReadWriteLock$ReadLock.lock", "App.quote", "App.run"),
			Used(cpu, 10))
		t.State = threaddump.Waiting
		LockOn(t, threaddump.Parking, 0xa, stack.JUC+"locks.ReentrantReadWriteLock$FairSync")
		return t
	}
	rest := func(id int64, cpu float64) *threaddump.Thread {
		return Thread(id, "r", At("!java.lang.Thread.sleep", "App.pause", "App.run"), Sleeping, Used(cpu, 10))
	}
	look := func(cpu float64, waits ...bool) *analysis.Report {
		var all []timeline.Observation
		for i, w := range waits {
			stand := rest
			if w {
				stand = wait
			}
			all = append(all,
				Observe(float64(i), stand(1, cpu*float64(i)), stand(2, cpu*float64(i)), rest(3, cpu*float64(i))))
		}
		return Diagnose(all...)
	}
	ExpectOnly(t, look(0.01, true, true, true), finding.KindLockContention, "lock-contention/warning/likely:  | r,r")
	ExpectOnly(t, look(0.01, true, false, true), finding.KindLockContention, "lock-contention/info/possible:  | r,r")
}

// The threads that schedule virtual threads share the lock of a queue of delayed tasks for microseconds.
func TestAMomentAtALockOfTheJDK(t *testing.T) {
	schedules := []string{"java.lang.VirtualThread.schedule", "java.lang.VirtualThread.parkNanos"}
	beats := append(slices.Clone(schedules), "App.beat")
	for name, c := range map[string]struct {
		owner, waiters []string
		want           string
	}{
		"the JDK's threads":       {schedules, schedules, ""},
		"waiters in the program":  {schedules, beats, "lock-contention/info/possible: worker-1 | unparker,worker-2"},
		"an owner in the program": {beats, schedules, "lock-contention/info/possible: worker-1 | unparker,worker-2"},
	} {
		t.Run(name, func(t *testing.T) {
			ExpectOnly(t, OneDump(Thread(1, "worker-1", At(c.owner...), Owns(0xa)),
				Thread(2, "unparker", At(c.waiters...), ParkedFor(0xa)),
				Thread(3, "worker-2", At(c.waiters...), ParkedFor(0xa))), finding.KindLockContention, c.want)
		})
	}
}
