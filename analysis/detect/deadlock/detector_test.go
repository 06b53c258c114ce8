package deadlock_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/jstall/jstall/analysis"
	. "github.com/jstall/jstall/analysis/internal/dumptest"
	"github.com/jstall/jstall/analysis/stack"
	"github.com/jstall/jstall/analysis/timeline"
	"github.com/jstall/jstall/threaddump"
)

func TestDeadlocks(t *testing.T) {
	report := func(members ...threaddump.DeadlockMember) func(*threaddump.Dump) {
		return func(d *threaddump.Dump) {
			d.Deadlocks = []threaddump.Deadlock{{Line: 900, Members: members}}
		}
	}
	member := func(name string, wants uint64, heldBy string) threaddump.DeadlockMember {
		return threaddump.DeadlockMember{Thread: name, Address: wants, Class: Reentrant, HeldBy: heldBy, Line: 902}
	}
	initWait := func(class string) Part {
		return func(th *threaddump.Thread) {
			th.Condition = stack.InObjectWait
			LockOn(th, threaddump.WaitingForClassInit, 0, class)
		}
	}
	nativeInitWait := func(th *threaddump.Thread) { th.Condition = stack.InObjectWait }
	tests := []struct {
		name    string
		threads []*threaddump.Thread
		report  func(*threaddump.Dump)
		want    []string
	}{
		{name: "two monitors", threads: Crossed(), want: []string{"deadlock/critical/proven: a,b | "}},
		{
			name: "three of two kinds, and a queue behind",
			threads: []*threaddump.Thread{
				Thread(1, "x", ParkedFor(0xa), Holds(0xc)),
				Thread(2, "y", BlockedOn(0xb), Owns(0xa)),
				Thread(3, "z", BlockedOn(0xc), Holds(0xb), Holds(0xd)),
				Thread(4, "v", BlockedOn(0xd), Holds(0xe)),
				Thread(5, "w", BlockedOn(0xe)),
			},
			want: []string{
				"deadlock/critical/proven: x,y,z | v,w",
				"lock-contention/info/possible: z | v,w < deadlock-1",
			},
		},
		{
			name: "a monitor that is waited on is not held, but its waiter locks the other one out",
			threads: []*threaddump.Thread{
				Thread(1, "waiter", Waiting(0xa), Holds(0xb)),
				Thread(2, "owner", BlockedOn(0xb), Holds(0xa)),
			},
			want: []string{"lock-contention/warning/likely: waiter | owner"},
		},
		{
			name: "nor one that is taken again after a wait",
			threads: []*threaddump.Thread{
				Thread(1, "waiter", Waiting(0xa), func(th *threaddump.Thread) { th.State = threaddump.Blocked }),
				Thread(2, "owner", At("App.work"), Holds(0xa)),
			},
		},
		{
			name: "one that is taken again while another is held closes a cycle",
			threads: []*threaddump.Thread{
				Thread(1, "waiter", Waiting(0xa), Holds(0xb), func(th *threaddump.Thread) {
					th.State = threaddump.Blocked
				}),
				Thread(2, "owner", BlockedOn(0xb), Holds(0xa)),
			},
			want: []string{"deadlock/critical/proven: owner,waiter | "},
		},
		{
			name: "a wait on an unknown object gives up the innermost monitor",
			threads: []*threaddump.Thread{
				Thread(1, "waiter", Waiting(0), Holds(0xa), func(th *threaddump.Thread) {
					th.Locks = th.Locks[:1]
					Holds(0xa)(th)
				}),
				Thread(2, "owner", BlockedOn(0xa)),
			},
		},
		{
			name: "two claims on one lock prove nothing",
			threads: append(Crossed(),
				Thread(13, "c", Holds(0xa0))),
			want: []string{"lock-contention/info/possible:  | a,b"},
		},
		{
			name: "an eliminated lock has no owner",
			threads: []*threaddump.Thread{
				Thread(1, "a", BlockedOn(0xb), func(th *threaddump.Thread) {
					LockOn(th, threaddump.Eliminated, 0xa, "X")
				}),
				Thread(2, "b", BlockedOn(0xa), Holds(0xb)),
			},
			want: []string{"lock-contention/info/possible:  | a,b"},
		},
		{
			name: "the JVM alone knows the owners",
			threads: []*threaddump.Thread{
				Thread(1, "a", ParkedFor(0xa)), Thread(2, "b", ParkedFor(0xb)), Thread(3, "c", ParkedFor(0xa)),
			},
			report: report(member("a", 0xa, "b"), member("b", 0xb, "a")),
			want:   []string{"deadlock/critical/proven: a,b | c"},
		},
		{
			name:    "a bystander in front of the JVM's list is no member",
			threads: append(Crossed(), Thread(13, "c", BlockedOn(0xa0))),
			report:  report(member("c", 0xa0, "a"), member("a", 0xb0, "b"), member("b", 0xa0, "a")),
			want:    []string{"deadlock/critical/proven: a,b | c"},
		},
		{
			name:    "members that the dump has lost are still reported",
			threads: []*threaddump.Thread{Thread(1, "a", ParkedFor(0xa))},
			report:  report(member("a", 0xa, "b"), member("b", 0xb, "a")),
			want:    []string{"deadlock/critical/proven: a,b | "},
		},
		{
			name: "a report that is cut off proves nothing",
			threads: []*threaddump.Thread{
				Thread(1, "a", ParkedFor(0xa)), Thread(2, "b", ParkedFor(0xb)),
			},
			report: report(member("a", 0xa, "b")),
		},
		{
			name: "equal names, distinguished by what they wait for",
			threads: []*threaddump.Thread{
				Thread(1, "w", ParkedFor(0xa)), Thread(2, "w", ParkedFor(0xb)),
			},
			report: report(member("w", 0xa, "w"), member("w", 0xb, "w")),
			want:   []string{"deadlock/critical/proven: w,w | "},
		},
		{
			name: "a cycle with a timeout is a hint",
			threads: []*threaddump.Thread{
				Thread(1, "a", ParkedFor(0xa), Owns(0xb), Timed), Thread(2, "b", ParkedFor(0xb), Owns(0xa), Timed),
			},
			want: []string{"deadlock/info/possible: a,b | "},
		},
		{
			name: "class initialisation",
			threads: []*threaddump.Thread{
				Thread(1, "a", At("One.<clinit>", "App.run"), initWait("Two")),
				Thread(2, "b", At("Two.<clinit>", "App.run"), initWait("One")),
				Thread(3, "c", initWait("One")),
			},
			want: []string{"deadlock/critical/proven: a,b | c"},
		},
		{
			name: "class initialisation before 17",
			threads: []*threaddump.Thread{
				Thread(1, "a", At("One.<clinit>", "App.run"), nativeInitWait),
				Thread(2, "b", At("Two.<clinit>", "App.run"), nativeInitWait),
				Thread(3, "c", nativeInitWait),
			},
			want: []string{"deadlock/critical/likely: a,b | c"},
		},
		{
			name: "a static initialiser that wants a monitor of a thread that wants the class",
			threads: []*threaddump.Thread{
				Thread(1, "a", At("One.<clinit>", "App.run"), BlockedOn(0xa)),
				Thread(2, "b", nativeInitWait, Holds(0xa)),
			},
			want: []string{"deadlock/critical/likely: a,b | "},
		},
		{
			name: "a class that is being initialised is no deadlock",
			threads: []*threaddump.Thread{
				Thread(1, "a", At("One.<clinit>", "App.run")),
				Thread(2, "b", At("Two.<clinit>", "App.run"), nativeInitWait),
			},
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			d := Dump(test.threads...)
			if test.report != nil {
				test.report(d)
			}
			Expect(t, Diagnose(Saved(d)), test.want...)
		})
	}
}

func TestDeadlockReport(t *testing.T) {
	r := Diagnose(Saved(Dump(Crossed()...)))
	if r.Verdict.State != analysis.Deadlocked {
		t.Errorf("verdict %q", r.Verdict.State)
	}
	want := `2 threads are deadlocked: "a" (in Order.reserve, App.java:7) and "b"`
	if r.Verdict.Summary != want {
		t.Errorf("summary %q, want %q", r.Verdict.Summary, want)
	}
	f := r.Findings[0]
	if f.ID != "deadlock-1" || f.Resource.Type != "monitor" || f.Resource.Address != "0x00000000000000b0" {
		t.Errorf("finding %q on %+v", f.ID, *f.Resource)
	}
	var quotes []string
	for _, e := range f.Evidence {
		quotes = append(quotes, e.Text)
	}
	wantQuotes := []string{
		"- waiting to lock <0x00000000000000b0> (a java.lang.Object)",
		"- locked <0x00000000000000a0> (a java.lang.Object)",
		"- waiting to lock <0x00000000000000a0> (a java.lang.Object)",
		"- locked <0x00000000000000b0> (a java.lang.Object)",
	}
	if !slices.Equal(quotes, wantQuotes) {
		t.Errorf("evidence %q", quotes)
	}
	if e := f.Evidence[0]; *e.Dump != 0 || *e.Line != 111 {
		t.Errorf("first quote is dump %d line %d", *e.Dump, *e.Line)
	}
}

// A deadlock that forms between the first dump and the last is found. One that a later dump refutes is mentioned and
// not counted. One that a later dump is too short to show is still reported.
func TestDeadlocksOverTime(t *testing.T) {
	free := []*threaddump.Thread{Thread(11, "a"), Thread(12, "b")}
	cutOff := Dump(Thread(11, "a", At("Order.reserve", "App.run"), BlockedOn(0xb0), Holds(0xa0)))
	cutOff.Threads = cutOff.Threads[:1]

	Expect(t, Diagnose(Observe(0, free...), Observe(1, Crossed()...)), "deadlock/critical/proven: a,b | ")

	gone := Diagnose(Observe(0, Crossed()...), Observe(1, free...))
	Expect(t, gone)
	if !Warned(gone, "dump 1 shows a deadlock") {
		t.Errorf("no warning of the deadlock that is gone: %q", gone.Warnings)
	}

	Expect(t, Diagnose(Observe(0, Crossed()...), timeline.Observation{At: threaddump.Known(second), Dump: cutOff}),
		"deadlock/critical/proven: a,b | ")
}

// Of two dumps whose order is not known, the one that shows the deadlock is the
// later: a deadlock does not end. Only a dump that is surely later refutes it.
func TestADeadlockIsRefutedByALaterDumpOnly(t *testing.T) {
	look := func(header string, age float64, threads ...*threaddump.Thread) timeline.Observation {
		d := Dump(threads...)
		if header != "" {
			d.Time, _ = time.Parse(time.TimeOnly, header)
		}
		for _, th := range d.Threads {
			if age > 0 {
				Used(0, age)(th)
			}
		}
		return Saved(d)
	}
	free := func() []*threaddump.Thread { return []*threaddump.Thread{Thread(11, "a"), Thread(12, "b")} }
	const deadlock = "deadlock/critical/proven: a,b | "
	for _, test := range []struct {
		name     string
		shows    timeline.Observation
		next     timeline.Observation
		deadlock bool
	}{
		{"the same second, no ages", look("10:00:00", 0, Crossed()...), look("10:00:00", 0, free()...), true},
		{"no header, no ages", look("", 0, Crossed()...), look("", 0, free()...), true},
		{"one header, no ages", look("10:00:00", 0, Crossed()...), look("", 0, free()...), true},
		{"the same second, the same age", look("10:00:00", 5, Crossed()...), look("10:00:00", 5, free()...), true},
		{"the same second, given in reverse", look("10:00:00", 5.5, Crossed()...), look("10:00:00", 5, free()...),
			true},
		{"the clock was put back, given in reverse", look("10:00:00", 7, Crossed()...),
			look("10:59:59", 5, free()...), true},
		{"a second later", look("10:00:00", 0, Crossed()...), look("10:00:01", 0, free()...), false},
		{"the same second, older", look("10:00:00", 5, Crossed()...), look("10:00:00", 5.5, free()...), false},
	} {
		t.Run(test.name, func(t *testing.T) {
			r := Diagnose(test.shows, test.next)
			if test.deadlock {
				if got := Found(r); !slices.Contains(got, deadlock) {
					t.Errorf("findings %q, warnings %q", got, r.Warnings)
				}
				return
			}
			Expect(t, r)
		})
	}
}

// Dumps of two JVMs in one file: each JVM's deadlock is reported.
func TestADeadlockOfTheOtherJVMIsReported(t *testing.T) {
	elsewhere := Dump(Thread(11, "x"), Thread(12, "y"))
	MoveThreads(elsewhere)
	before, after := Saved(Dump(Crossed()...)), Saved(elsewhere)
	before.Source, after.Source = "1.txt", "2.txt"
	r := Diagnose(before, after)
	Expect(t, r, "deadlock/critical/proven: a,b | ")
	const where = `in another JVM of the input (1.txt), not in the last: 2 threads`
	if r.Target.File != "2.txt" || r.Verdict.State != analysis.Deadlocked ||
		!strings.Contains(r.Verdict.Summary, where) {
		t.Errorf("%+v, target %+v", r.Verdict, r.Target)
	}
	for _, ref := range r.Findings[0].Culprits {
		if ref.ID != 0 || ref.NativeID != 0 {
			t.Errorf("%q of another JVM has the id of one of this", ref.Name)
		}
	}
	if files := strings.Join(r.Capture.DumpFiles, " "); files != "1.txt 2.txt" {
		t.Errorf("dumps from %q", files)
	}
}

// Threads that block each other until a timeout, repeatedly, are in every dump.
func TestTimedCycleThatLasts(t *testing.T) {
	threads := []*threaddump.Thread{
		Thread(1, "a", ParkedFor(0xa), Owns(0xb), Timed), Thread(2, "b", ParkedFor(0xb), Owns(0xa), Timed),
	}
	Expect(t, Diagnose(Observe(0, threads...), Observe(1, threads...)), "deadlock/warning/likely: a,b | ")
}

// The JVM writes a JSON dump thread by thread: a cycle in one may be none, though the
// locks are taken in opposite orders.
func TestCycleInDumpThatIsNoInstant(t *testing.T) {
	d := Dump(Crossed()...)
	for _, th := range d.Threads {
		th.TID = 0
	}
	once := timeline.Observation{At: threaddump.Known(0 * second), Dump: d}
	twice := timeline.Observation{At: threaddump.Known(second), Dump: d}
	Expect(t, Diagnose(once), "deadlock/warning/likely: a,b | ")
	Expect(t, Diagnose(once, twice), "deadlock/critical/proven: a,b | ")
}

const second = time.Second
