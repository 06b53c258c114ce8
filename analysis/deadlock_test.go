package analysis

import (
	"slices"
	"strings"
	"testing"
	"time"

	"jstall/analysis/finding"
	"jstall/analysis/stack"
	"jstall/analysis/timeline"
	"jstall/threaddump"
)

// found lists the findings of a report as "kind/severity/confidence: culprits | victims".
func found(r *Report) []string {
	all := []string{}
	for _, f := range r.Findings {
		line := string(f.Kind) + "/" + string(f.Severity) + "/" + string(f.Confidence) +
			": " + strings.Join(namesOf(f.Culprits), ",") + " | " + strings.Join(namesOf(f.Victims), ",")
		if f.ExplainedBy != "" {
			line += " < " + f.ExplainedBy
		}
		all = append(all, line)
	}
	return all
}

func namesOf(refs []finding.ThreadRef) []string {
	var names []string
	for _, r := range refs {
		names = append(names, r.Name)
	}
	return names
}

func expect(t *testing.T, r *Report, want ...string) {
	t.Helper()
	if got := found(r); !slices.Equal(got, want) {
		t.Errorf("findings:\n %s\nwant:\n %s", strings.Join(got, "\n "), strings.Join(want, "\n "))
	}
}

func TestDeadlocks(t *testing.T) {
	report := func(members ...threaddump.DeadlockMember) func(*threaddump.Dump) {
		return func(d *threaddump.Dump) {
			d.Deadlocks = []threaddump.Deadlock{{Line: 900, Members: members}}
		}
	}
	member := func(name string, wants uint64, heldBy string) threaddump.DeadlockMember {
		return threaddump.DeadlockMember{Thread: name, Address: wants, Class: reentrant, HeldBy: heldBy, Line: 902}
	}
	initWait := func(class string) part {
		return func(th *threaddump.Thread) {
			th.Condition = stack.InObjectWait
			lockOn(th, threaddump.WaitingForClassInit, 0, class)
		}
	}
	nativeInitWait := func(th *threaddump.Thread) { th.Condition = stack.InObjectWait }
	tests := []struct {
		name    string
		threads []*threaddump.Thread
		report  func(*threaddump.Dump)
		want    []string
	}{
		{name: "two monitors", threads: crossed(), want: []string{"deadlock/critical/proven: a,b | "}},
		{
			name: "three of two kinds, and a queue behind",
			threads: []*threaddump.Thread{
				thread(1, "x", parkedFor(0xa), holds(0xc)),
				thread(2, "y", blockedOn(0xb), owns(0xa)),
				thread(3, "z", blockedOn(0xc), holds(0xb), holds(0xd)),
				thread(4, "v", blockedOn(0xd), holds(0xe)),
				thread(5, "w", blockedOn(0xe)),
			},
			want: []string{
				"deadlock/critical/proven: x,y,z | v,w",
				"lock-contention/info/possible: z | v,w < deadlock-1",
			},
		},
		{
			name: "a monitor that is waited on is not held, but its waiter locks the other one out",
			threads: []*threaddump.Thread{
				thread(1, "waiter", waiting(0xa), holds(0xb)),
				thread(2, "owner", blockedOn(0xb), holds(0xa)),
			},
			want: []string{"lock-contention/warning/likely: waiter | owner"},
		},
		{
			name: "nor one that is taken again after a wait",
			threads: []*threaddump.Thread{
				thread(1, "waiter", waiting(0xa), func(th *threaddump.Thread) { th.State = threaddump.Blocked }),
				thread(2, "owner", at("App.work"), holds(0xa)),
			},
		},
		{
			name: "one that is taken again while another is held closes a cycle",
			threads: []*threaddump.Thread{
				thread(1, "waiter", waiting(0xa), holds(0xb), func(th *threaddump.Thread) { th.State = threaddump.Blocked }),
				thread(2, "owner", blockedOn(0xb), holds(0xa)),
			},
			want: []string{"deadlock/critical/proven: owner,waiter | "},
		},
		{
			name: "a wait on an unknown object gives up the innermost monitor",
			threads: []*threaddump.Thread{
				thread(1, "waiter", waiting(0), holds(0xa), func(th *threaddump.Thread) { th.Locks = th.Locks[:1]; holds(0xa)(th) }),
				thread(2, "owner", blockedOn(0xa)),
			},
		},
		{
			name: "two claims on one lock prove nothing",
			threads: append(crossed(),
				thread(13, "c", holds(0xa0))),
			want: []string{"lock-contention/info/possible:  | a,b"},
		},
		{
			name: "an eliminated lock is nobody's",
			threads: []*threaddump.Thread{
				thread(1, "a", blockedOn(0xb), func(th *threaddump.Thread) { lockOn(th, threaddump.Eliminated, 0xa, "X") }),
				thread(2, "b", blockedOn(0xa), holds(0xb)),
			},
			want: []string{"lock-contention/info/possible:  | a,b"},
		},
		{
			name: "the JVM alone knows the owners",
			threads: []*threaddump.Thread{
				thread(1, "a", parkedFor(0xa)), thread(2, "b", parkedFor(0xb)), thread(3, "c", parkedFor(0xa)),
			},
			report: report(member("a", 0xa, "b"), member("b", 0xb, "a")),
			want:   []string{"deadlock/critical/proven: a,b | c"},
		},
		{
			name:    "a bystander in front of the JVM's list is no member",
			threads: append(crossed(), thread(13, "c", blockedOn(0xa0))),
			report:  report(member("c", 0xa0, "a"), member("a", 0xb0, "b"), member("b", 0xa0, "a")),
			want:    []string{"deadlock/critical/proven: a,b | c"},
		},
		{
			name:    "members that the dump has lost are still reported",
			threads: []*threaddump.Thread{thread(1, "a", parkedFor(0xa))},
			report:  report(member("a", 0xa, "b"), member("b", 0xb, "a")),
			want:    []string{"deadlock/critical/proven: a,b | "},
		},
		{
			name: "a report that is cut off proves nothing",
			threads: []*threaddump.Thread{
				thread(1, "a", parkedFor(0xa)), thread(2, "b", parkedFor(0xb)),
			},
			report: report(member("a", 0xa, "b")),
		},
		{
			name: "equal names, told apart by what they wait for",
			threads: []*threaddump.Thread{
				thread(1, "w", parkedFor(0xa)), thread(2, "w", parkedFor(0xb)),
			},
			report: report(member("w", 0xa, "w"), member("w", 0xb, "w")),
			want:   []string{"deadlock/critical/proven: w,w | "},
		},
		{
			name: "a cycle with a timeout is a hint",
			threads: []*threaddump.Thread{
				thread(1, "a", parkedFor(0xa), owns(0xb), timed), thread(2, "b", parkedFor(0xb), owns(0xa), timed),
			},
			want: []string{"deadlock/info/possible: a,b | "},
		},
		{
			name: "class initialisation",
			threads: []*threaddump.Thread{
				thread(1, "a", at("One.<clinit>", "App.run"), initWait("Two")),
				thread(2, "b", at("Two.<clinit>", "App.run"), initWait("One")),
				thread(3, "c", initWait("One")),
			},
			want: []string{"deadlock/critical/proven: a,b | c"},
		},
		{
			name: "class initialisation before 17",
			threads: []*threaddump.Thread{
				thread(1, "a", at("One.<clinit>", "App.run"), nativeInitWait),
				thread(2, "b", at("Two.<clinit>", "App.run"), nativeInitWait),
				thread(3, "c", nativeInitWait),
			},
			want: []string{"deadlock/critical/likely: a,b | c"},
		},
		{
			name: "a static initialiser that wants a monitor of a thread that wants the class",
			threads: []*threaddump.Thread{
				thread(1, "a", at("One.<clinit>", "App.run"), blockedOn(0xa)),
				thread(2, "b", nativeInitWait, holds(0xa)),
			},
			want: []string{"deadlock/critical/likely: a,b | "},
		},
		{
			name: "a class that is being initialised is no deadlock",
			threads: []*threaddump.Thread{
				thread(1, "a", at("One.<clinit>", "App.run")),
				thread(2, "b", at("Two.<clinit>", "App.run"), nativeInitWait),
			},
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			d := dump(test.threads...)
			if test.report != nil {
				test.report(d)
			}
			expect(t, diagnose(saved(d)), test.want...)
		})
	}
}

func TestDeadlockReport(t *testing.T) {
	r := diagnose(saved(dump(crossed()...)))
	if r.Verdict.State != Deadlocked {
		t.Errorf("verdict %q", r.Verdict.State)
	}
	want := `2 threads are deadlocked: "a" and "b", at Order.reserve (App.java:7)`
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

// A deadlock that forms between the first dump and the last is found; one that a
// later dump refutes is told and not counted; one that a later dump is too short
// to show still stands.
func TestDeadlocksOverTime(t *testing.T) {
	free := []*threaddump.Thread{thread(11, "a"), thread(12, "b")}
	cutOff := dump(thread(11, "a", at("Order.reserve", "App.run"), blockedOn(0xb0), holds(0xa0)))
	cutOff.Threads = cutOff.Threads[:1]

	expect(t, diagnose(observe(0, free...), observe(1, crossed()...)), "deadlock/critical/proven: a,b | ")

	gone := diagnose(observe(0, crossed()...), observe(1, free...))
	expect(t, gone)
	if !warned(gone, "dump 1 shows a deadlock") {
		t.Errorf("no warning of the deadlock that is gone: %q", gone.Warnings)
	}

	expect(t, diagnose(observe(0, crossed()...), timeline.Observation{At: threaddump.Known(second), Dump: cutOff}),
		"deadlock/critical/proven: a,b | ")
}

// Of two dumps whose order is not known, the one that shows the deadlock is the
// later: a deadlock does not end. Only a dump that is surely later refutes it.
func TestADeadlockIsRefutedByALaterDumpOnly(t *testing.T) {
	look := func(header string, age float64, threads ...*threaddump.Thread) timeline.Observation {
		d := dump(threads...)
		if header != "" {
			d.Time, _ = time.Parse(time.TimeOnly, header)
		}
		for _, th := range d.Threads {
			if age > 0 {
				used(0, age)(th)
			}
		}
		return saved(d)
	}
	free := func() []*threaddump.Thread { return []*threaddump.Thread{thread(11, "a"), thread(12, "b")} }
	const deadlock = "deadlock/critical/proven: a,b | "
	for _, test := range []struct {
		name     string
		shows    timeline.Observation
		next     timeline.Observation
		deadlock bool
	}{
		{"the same second, no ages", look("10:00:00", 0, crossed()...), look("10:00:00", 0, free()...), true},
		{"no header, no ages", look("", 0, crossed()...), look("", 0, free()...), true},
		{"one header, no ages", look("10:00:00", 0, crossed()...), look("", 0, free()...), true},
		{"the same second, the same age", look("10:00:00", 5, crossed()...), look("10:00:00", 5, free()...), true},
		{"the same second, given in reverse", look("10:00:00", 5.5, crossed()...), look("10:00:00", 5, free()...), true},
		{"the clock was put back, given in reverse", look("10:00:00", 7, crossed()...), look("10:59:59", 5, free()...), true},
		{"a second later", look("10:00:00", 0, crossed()...), look("10:00:01", 0, free()...), false},
		{"the same second, older", look("10:00:00", 5, crossed()...), look("10:00:00", 5.5, free()...), false},
	} {
		t.Run(test.name, func(t *testing.T) {
			r := diagnose(test.shows, test.next)
			if test.deadlock {
				if got := found(r); !slices.Contains(got, deadlock) {
					t.Errorf("findings %q, warnings %q", got, r.Warnings)
				}
				return
			}
			expect(t, r)
		})
	}
}

// Dumps of two JVMs in one file: each JVM's deadlock is told.
func TestADeadlockOfTheOtherJVMIsTold(t *testing.T) {
	elsewhere := dump(thread(11, "x"), thread(12, "y"))
	moveThreads(elsewhere)
	before, after := saved(dump(crossed()...)), saved(elsewhere)
	before.Source, after.Source = "1.txt", "2.txt"
	r := diagnose(before, after)
	expect(t, r, "deadlock/critical/proven: a,b | ")
	if r.Target.File != "2.txt" || r.Verdict.State != Deadlocked || !strings.Contains(r.Verdict.Summary, `in another JVM of the input (1.txt), not in the last: 2 threads`) {
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

func warned(r *Report, text string) bool {
	return slices.ContainsFunc(r.Warnings, func(w string) bool { return strings.Contains(w, text) })
}

// Threads that meet in timeouts again and again stand in every dump.
func TestTimedCycleThatLasts(t *testing.T) {
	threads := []*threaddump.Thread{
		thread(1, "a", parkedFor(0xa), owns(0xb), timed), thread(2, "b", parkedFor(0xb), owns(0xa), timed),
	}
	expect(t, diagnose(observe(0, threads...), observe(1, threads...)), "deadlock/warning/likely: a,b | ")
}

// The JVM writes a JSON dump thread by thread: a cycle in one may be none, though the
// locks are taken in opposite orders.
func TestCycleInDumpThatIsNoInstant(t *testing.T) {
	d := dump(crossed()...)
	for _, th := range d.Threads {
		th.TID = 0
	}
	once := timeline.Observation{At: threaddump.Known(0 * second), Dump: d}
	twice := timeline.Observation{At: threaddump.Known(second), Dump: d}
	expect(t, diagnose(once), "deadlock/warning/likely: a,b | ")
	expect(t, diagnose(once, twice), "deadlock/critical/proven: a,b | ")
}

const second = time.Second

// Three static initialisers that all wait, before the dump names a class: some of them
// wait for each other.
func TestARingOfStaticInitialisersBefore17(t *testing.T) {
	look := func(third ...part) *Report {
		var all []timeline.Observation
		for i := range 2 {
			d := dump(
				thread(1, "a", at("One.<clinit>", "App.run"), nativeWait), thread(2, "b", at("Two.<clinit>", "App.run"), nativeWait),
				thread(3, "c", append([]part{at("Three.<clinit>", "App.run")}, third...)...))
			d.Version = "1.8.0_504"
			all = append(all, timeline.Observation{At: threaddump.Known(sec(float64(i))), Dump: d})
		}
		return diagnose(all...)
	}
	expect(t, onlyDeadlocks(look(nativeWait)), "deadlock/critical/likely: a,b,c | ")
	expect(t, onlyDeadlocks(look()))
}
