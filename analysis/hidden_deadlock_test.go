package analysis

import (
	"fmt"
	"strings"
	"testing"

	"jstall/threaddump"
)

const (
	readWrite = "java.util.concurrent.locks.ReentrantReadWriteLock$NonfairSync"
	stamped   = "java.util.concurrent.locks.StampedLock"
)

// calls puts the JDK's frames of an operation on a stack, and parks it there.
func calls(class string, address uint64, frames ...string) part {
	return func(t *threaddump.Thread) {
		t.State, t.StateDetail, t.Condition = threaddump.Waiting, "parking", "waiting on condition"
		all := append([]string{"!jdk.internal.misc.Unsafe.park", "java.util.concurrent.locks.LockSupport.park"}, frames...)
		t.Stack = append(stack(all...), t.Stack...)
		lockOn(t, threaddump.Parking, address, class)
	}
}

func writes(address uint64) part {
	return calls(readWrite, address, "java.util.concurrent.locks.AbstractQueuedSynchronizer.acquire",
		"java.util.concurrent.locks.ReentrantReadWriteLock$WriteLock.lock")
}

// stamps waits to read under a StampedLock.
func stamps(address uint64) part {
	return calls(stamped, address, stamped+".acquireRead", stamped+".readLock")
}

// joins waits for the end of a thread.
func joins(address uint64) part { return joinsOf("java.lang.Thread", address) }

func joinsOf(class string, address uint64) part {
	return func(t *threaddump.Thread) {
		t.State, t.StateDetail, t.Condition = threaddump.Waiting, "on object monitor", inObjectWait
		t.Stack = append(stack("!java.lang.Object.wait0", "java.lang.Thread.join"), t.Stack...)
		lockOn(t, threaddump.WaitingOn, address, class)
	}
}

// shelves are two threads in the same work that want each other's write lock.
func shelves(cpu float64) []*threaddump.Thread {
	return []*threaddump.Thread{
		thread(11, "a", at("Shelf.store", "Shelf.move", "java.lang.Thread.run"), writes(0xa0), used(cpu, 9)),
		thread(12, "b", at("Shelf.store", "Shelf.move", "java.lang.Thread.run"), writes(0xb0), used(cpu, 9)),
	}
}

func TestHiddenDeadlocks(t *testing.T) {
	same := func(threads ...*threaddump.Thread) [][]*threaddump.Thread {
		return [][]*threaddump.Thread{threads, threads}
	}
	reader := thread(13, "r", at("Shelf.read", "Shelf.show", "java.lang.Thread.run"), sleeping)
	tests := []struct {
		name  string
		dumps [][]*threaddump.Thread
		want  []string
	}{
		{"two readers want each other's write lock", same(shelves(1)...), []string{"deadlock/critical/likely: a,b | "}},
		{"a third one may read", same(append(shelves(1), reader)...), nil},
		{"a lock that goes round costs CPU", [][]*threaddump.Thread{shelves(1), shelves(1.01)},
			[]string{"deadlock/info/possible: a,b | "}},
		{"one dump is a hint", same(shelves(1)...)[:1], []string{"deadlock/info/possible: a,b | "}},
		{
			"joins in a ring",
			same(thread(11, "a", at("Crew.end", "java.lang.Thread.run"), joins(0xb)),
				thread(12, "b", at("Crew.end", "java.lang.Thread.run"), joins(0xa))),
			[]string{"deadlock/critical/likely: a,b | "},
		},
		{
			"joins in a ring of threads that inherit what they run",
			same(thread(1, "main", at("App.main"), joinsOf("Pilot", 0xa)),
				thread(11, "a", at("Crew.end", "Crew.run"), joinsOf("Tug", 0xb)),
				thread(12, "b", at("Crew.end", "Crew.run"), joinsOf("Pilot", 0xa))),
			[]string{"deadlock/critical/likely: a,b | main"},
		},
		{
			"a join of one that inherits what it runs, and works",
			same(thread(11, "a", at("Crew.end", "Crew.run"), joinsOf("Tug", 0xb)),
				thread(12, "b", at("Crew.work", "Crew.run"), sleeping)),
			nil,
		},
		{
			"a join of a thread that works",
			same(thread(11, "a", at("Crew.end", "java.lang.Thread.run"), joins(0xb)),
				thread(12, "b", at("Crew.work", "java.lang.Thread.run"), sleeping)),
			nil,
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			var all []Observation
			for i, threads := range test.dumps {
				all = append(all, observe(float64(i), threads...))
			}
			expect(t, diagnose(all...), test.want...)
		})
	}
}

func TestOneDumpProvesNothingWhereThreadsMayBeLost(t *testing.T) {
	expect(t, diagnose(unlisted(0, shelves(1)...)))
}

// One that waits for a stamp over the whole look, while all others do no more than sleep
// now and then, waits for one that was lost, or that somebody sleeps with.
func TestOneWaitsForAStamp(t *testing.T) {
	look := func(woken float64, readers ...func(when float64) *threaddump.Thread) *Report {
		var all []Observation
		for _, when := range []float64{0, 1, 2} {
			writer := thread(11, "w", at("Tally.grow", "java.lang.Thread.run"), used(when*woken, 9), calls(stamped, 0xa0, stamped+".acquireWrite", stamped+".writeLock"))
			threads := []*threaddump.Thread{writer}
			for _, reader := range readers {
				threads = append(threads, reader(when))
			}
			all = append(all, observe(when, threads...))
		}
		return diagnose(all...)
	}
	pauses := func(when float64) *threaddump.Thread {
		return thread(12, "r", at("Tally.pause", "Tally.show", "java.lang.Thread.run"), sleeping, used(when/100, 9))
	}
	expect(t, look(0, pauses), "lock-contention/warning/likely: r | w")
	expect(t, look(0.01, pauses))
	another := func(when float64) *threaddump.Thread {
		return thread(13, "s", at("Tally.pause", "Tally.show", "java.lang.Thread.run"), sleeping, used(when/100, 9))
	}
	expect(t, look(0, pauses, another), "lock-contention/warning/likely: w | ")
	expect(t, look(0, func(when float64) *threaddump.Thread {
		return thread(12, "r", at("Tally.sum", "Tally.show", "java.lang.Thread.run"), used(when/2, 9))
	}))
}

// A thread that takes a StampedLock twice is told from those that queue behind it,
// whatever their names and places in the dump are.
func TestSelfHolders(t *testing.T) {
	const start = "App.lambda$main$0"
	waiter := func(id int64, name string, frames ...string) *threaddump.Thread {
		return thread(id, name, at(append(frames, start, "java.lang.Thread.run")...), stamps(0xa0))
	}
	writer := func(id int64, name string, frames ...string) *threaddump.Thread {
		return thread(id, name, at(append(frames, start, "java.lang.Thread.run")...),
			calls(stamped, 0xa0, stamped+".acquireWrite", stamped+".writeLock"))
	}
	ahead := func(id int64, name string, frames ...string) *threaddump.Thread {
		return thread(id, name, at(append(frames, start, "java.lang.Thread.run")...),
			calls(stamped, 0xa0, stamped+".wait", stamped+".acquireRead", stamped+".readLock"))
	}
	tests := []struct {
		name    string
		threads []*threaddump.Thread
		want    string
		title   string
	}{
		{
			name: "a method below the one that asks",
			threads: []*threaddump.Thread{
				waiter(11, "a", "Tally.size"), waiter(12, "m", "Tally.size", "Tally.bump"), waiter(13, "z", "Tally.size"),
			},
			want:  "deadlock/critical/likely: m | a,z",
			title: `"m" waits for ever for a lock that only it can be holding`,
		},
		{
			name: "a caller of another class is less than one of the lock's",
			threads: []*threaddump.Thread{
				waiter(11, "a", "Tally.size", "Page.show"), waiter(12, "m", "Tally.size", "Tally.bump"),
				waiter(13, "z", "Tally.size", "Page.show"),
			},
			want: "deadlock/critical/likely: m | a,z",
		},
		{
			name: "the odd path",
			threads: []*threaddump.Thread{
				writer(11, "a", "Tally.size", "Tally.fix"), writer(12, "m", "Tally.grow", "Tally.fix"), writer(13, "z", "Tally.size", "Tally.fix"),
			},
			want: "deadlock/critical/likely: m | a,z",
		},
		{
			name: "an odd path with no place where it was taken before",
			threads: []*threaddump.Thread{
				writer(11, "a", "Tally.size"), writer(12, "m", "Tally.grow", "Parser.accept"), writer(13, "z", "Tally.size"),
			},
			want: "lock-contention/warning/likely: a,m,z | ",
		},
		{
			name: "two alike, twice in the class",
			threads: []*threaddump.Thread{
				writer(11, "a", "Tally.size", "Tally.fix"), writer(12, "m", "Tally.size", "Tally.fix"), writer(13, "z", "Tally.size"),
			},
			want:  "deadlock/critical/likely: a,m | z",
			title: `2 threads wait for ever for a lock that one of them must be holding: "a" and "m"`,
		},
		{
			name:    "all alike, to write: it was lost",
			threads: []*threaddump.Thread{writer(11, "a", "Tally.size"), writer(12, "m", "Tally.size")},
			want:    "lock-contention/warning/likely: a,m | ",
		},
		{
			name:    "one alone that shows no second call",
			threads: []*threaddump.Thread{writer(11, "a", "Tally.size", "Parser.accept")},
			want:    "deadlock/critical/likely: a | ",
			title:   `"a" waits for ever for a lock that no other thread can be holding`,
		},
		{
			name:    "all alike, to read: a stamp was lost",
			threads: []*threaddump.Thread{waiter(11, "a", "Tally.size"), waiter(12, "m", "Tally.size")},
			want:    "lock-contention/warning/likely: a,m | ",
			title:   "2 threads wait for a StampedLock; no thread in the dump can be holding it",
		},
		{
			name: "to read on one way, the first of them at another line of the JDK, and one to write",
			threads: []*threaddump.Thread{
				waiter(11, "a", "Tally.size", "Tally.show"), waiter(12, "z", "Tally.size", "Tally.show"),
				ahead(13, "m", "Tally.size", "Tally.show"), writer(14, "w", "Tally.grow"),
			},
			want: "lock-contention/warning/likely: a,m,w,z | ",
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			all := []Observation{observe(0, test.threads...), observe(1, test.threads...)}
			for _, o := range all {
				o.Dump.Version = "25.504-b08" // of JDK 8, whose dumps have no list of the threads
			}
			r := diagnose(all...)
			if len(r.Findings) == 0 {
				t.Fatal("nothing found")
			}
			r.Findings = r.Findings[:1] // the queue itself is explained by it
			expect(t, r, test.want)
			if test.title != "" && r.Findings[0].Title != test.title {
				t.Errorf("title %q, want %q", r.Findings[0].Title, test.title)
			}
		})
	}
}

// Who wants the write lock asks in a class that another one is in further down, which wants a
// monitor of its: that one reads. Elsewhere it may be anybody that holds the lock.
func TestAReaderBehindTheMonitorOfAWriter(t *testing.T) {
	for _, test := range []struct{ reader, want string }{
		{"Book.total", "deadlock/critical/likely: a,b | "},
		{"Page.total", "lock-contention/warning/likely:  | a,b"},
	} {
		look := func(when float64) Observation {
			return observe(when, thread(11, "a", at("Basket.crops", test.reader, "java.lang.Thread.run"), blockedOn(0xb0), used(1, 9+when)),
				thread(12, "b", at("Book.publish", "Basket.bid", "java.lang.Thread.run"), writes(0xa0), holds(0xb0), used(1, 9+when)),
				thread(13, "main", asleepIn("Shop.main"), timed, used(1, 9+when)))
		}
		r := diagnose(look(0), look(1), look(2))
		if len(r.Findings) == 0 {
			t.Fatal("nothing found")
		}
		r.Findings = r.Findings[:1]
		expect(t, r, test.want)
	}
}

// A loop that pauses between two calls that read, and comes back from them, has no stamp: it
// does not hide who took it twice. In the method that asks it may have one.
func TestALoopBetweenTwoCallsHoldsNoStamp(t *testing.T) {
	line := func(n int, p part) part {
		return func(th *threaddump.Thread) {
			p(th)
			for _, f := range th.Stack {
				if f.Method == "lambda$main$1" || f.Method == "plan" {
					f.Line, f.Text = n, fmt.Sprintf("%s(Hall.java:%d)", f.Name(), n)
				}
			}
		}
	}
	const office = "Hall.lambda$main$0"
	look := func(when float64, wants, rests part) Observation {
		return observe(when,
			thread(11, "office", wants, calls(stamped, 0xa0, stamped+".writeLock"), used(1, 9+when)),
			thread(12, "display", line(20, at("Hall.plan", "App.lambda$main$1", "java.lang.Thread.run")), stamps(0xa0), used(1, 9+when)),
			thread(13, "other", line(21, rests), sleeping, used(1+when/10, 9+when)))
	}
	for _, test := range []struct {
		name, want   string
		wants, rests part
	}{
		{"between two calls", "deadlock/critical/likely: office | display",
			at("Hall.reassign", "Hall.book", office, "java.lang.Thread.run"), asleepIn("App.nap", "App.lambda$main$1", "java.lang.Thread.run")},
		{"in such a call", "lock-contention/warning/likely: other | display,office",
			at("Hall.reassign", "Hall.book", office, "java.lang.Thread.run"), asleepIn("App.nap", "Hall.plan", "App.lambda$main$1", "java.lang.Thread.run")},
		{"where the stamp was lost", "lock-contention/warning/likely: display,office | ",
			at("Hall.book", office, "java.lang.Thread.run"), asleepIn("App.nap", "App.lambda$main$1", "java.lang.Thread.run")},
	} {
		t.Run(test.name, func(t *testing.T) {
			r := diagnose(look(0, test.wants, test.rests), look(1, test.wants, test.rests), look(2, test.wants, test.rests))
			if len(r.Findings) == 0 {
				t.Fatal("nothing found")
			}
			r.Findings = r.Findings[:1]
			expect(t, r, test.want)
		})
	}
}

// One that waits for a permit with the lock that giving it back needs stops those who have
// one. The deadlock is no less grave than the crowd at the lock.
func TestAPermitIsWaitedForUnderTheLockThatGivesItBack(t *testing.T) {
	const semaphore = juc + "Semaphore"
	shifts := func(cpu float64) []*threaddump.Thread {
		gives, takes := at("Depot.giveBack", "Main.shift", "java.lang.Thread.run"), at("Depot.allocate", "Main.shift", "java.lang.Thread.run")
		return []*threaddump.Thread{
			thread(1, "a", gives, blockedOn(0xa), used(0.01, 9+cpu)), thread(2, "b", gives, blockedOn(0xa), used(0.01, 9+cpu)),
			thread(3, "c", at("Pool.take", "Depot.allocate", "Main.shift", "java.lang.Thread.run"),
				calls(semaphore+"$NonfairSync", 0xb, semaphore+".acquire"), holds(0xa), used(0.01, 9+cpu)),
			thread(4, "d", takes, blockedOn(0xa), used(0.01, 9+cpu)), thread(5, "e", takes, blockedOn(0xa), used(0.01, 9+cpu)),
		}
	}
	r := diagnose(observe(0, shifts(0)...), observe(1, shifts(1)...), observe(2, shifts(2)...))
	f := r.Findings[0]
	if f.Kind != KindDeadlock || f.Severity != Critical || f.Confidence != Likely || r.Findings[1].ExplainedBy != f.ID {
		t.Fatal(found(r))
	}
	if want := `"c" waits for a permit and holds the lock that "a" waits for, which seems to have one: neither ever goes on`; f.Title != want {
		t.Errorf("%q, want %q", f.Title, want)
	}
	if !strings.HasPrefix(f.Advice, "Do not wait for a permit while holding the lock that giving it back needs") {
		t.Error(f.Advice)
	}
}
