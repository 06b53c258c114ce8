package analysis

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"jstall/threaddump"
)

// Compiled, a loop that asks shows no call: its class file tells it from one that computes.
func TestLoopsThatOnlyAskByTheirClassFile(t *testing.T) {
	at := func(t *threaddump.Thread) {
		t.Stack = stack("App.turn", "App.run")
		t.Stack[0].Line = 13
	}
	look := func(l *Loop) *Report {
		var all []Observation
		for i := range 3 {
			s := float64(i)
			all = append(all, observe(s, thread(1, "a", at, used(0.9*s, 9+s), allocated(0))))
		}
		if l != nil {
			all = append(all, Observation{Bytecode: &Bytecode{Loops: map[string]Loop{"App.turn:13": *l}}})
		}
		return diagnose(all...)
	}
	const cas, spins = juc + "atomic.AtomicBoolean.compareAndSet", "java.lang.Thread.onSpinWait"
	const spin, hot = "spin/warning/likely: a | ", "hot-thread/warning/proven: a | "
	for _, test := range []struct {
		name string
		loop *Loop
		want string
	}{
		{"no class file", nil, hot},
		{"asks", &Loop{Calls: []string{cas, spins}}, spin},
		{"asks and counts", &Loop{Calls: []string{cas}, Counts: true}, spin},
		{"asks a StampedLock", &Loop{Calls: []string{juc + "locks.StampedLock.tryConvertToWriteLock"}}, spin},
		{"asks whether it is interrupted", &Loop{Calls: []string{"java.lang.Thread.currentThread", "java.lang.Thread.isInterrupted"}}, spin},
		{"looks at a field", &Loop{}, spin},
		{"counts", &Loop{Counts: true}, hot},
		{"asks and computes", &Loop{Calls: []string{cas}, Computes: true}, hot},
		{"counts the elements of an array", &Loop{Calls: []string{juc + "atomic.AtomicIntegerArray.get"}, Counts: true}, hot},
		{"adds up what a queue has", &Loop{Calls: []string{juc + "ConcurrentLinkedQueue.poll"}, Counts: true}, hot},
		{"calls more", &Loop{Calls: []string{cas, "App.step"}}, hot},
	} {
		t.Run(test.name, func(t *testing.T) {
			r := look(test.loop)
			expect(t, r, test.want)
			if e := r.Findings[0].Evidence[0].Text; (test.want == spin) != strings.HasPrefix(e, "by its class file the loop ") {
				t.Errorf("first evidence %q", e)
			}
		})
	}
}

// A loop that asks by small methods of the program's own may be seen in one of these.
func TestLoopsThatAskByMethodsOfTheirOwn(t *testing.T) {
	at := func(t *threaddump.Thread) {
		t.Stack = stack("App.isDone", "App.turn", "App.run")
		t.Stack[0].Line, t.Stack[1].Line = 5, 13
	}
	for _, test := range []struct{ looks, want string }{
		{"App.isDone:5", "spin/warning/likely: a | "},
		{"App.other:6", "hot-thread/warning/proven: a | "},
	} {
		var all []Observation
		for i := range 3 {
			s := float64(i)
			all = append(all, observe(s, thread(1, "a", at, used(0.9*s, 9+s), allocated(0))))
		}
		all = append(all, Observation{Bytecode: &Bytecode{Loops: map[string]Loop{"App.turn:13": {}}, Looks: map[string]bool{test.looks: true}}})
		expect(t, diagnose(all...), test.want)
	}
}

// A loop with work in it does nothing but ask where every dump shows it on the way round that has none.
func TestLoopsThatAskOnTheWayRound(t *testing.T) {
	const get, spins = juc + "atomic.AtomicLong.get", "java.lang.Thread.onSpinWait"
	const spin, hot = "spin/warning/likely: a | ", "hot-thread/warning/proven: a | "
	work := Loop{Calls: []string{get, spins}, Computes: true}
	for _, test := range []struct {
		name      string
		lines     []int
		round     Loop
		counted   bool
		collector string
		version   string
		want      string
	}{
		{"always there", []int{13, 13, 13}, Loop{Calls: []string{get, spins}}, false, "", "17.0.1+1", spin},
		{"twice is too few", []int{13, 13}, Loop{Calls: []string{get, spins}}, false, "", "17.0.1+1", hot},
		{"at its work once", []int{13, 14, 13}, Loop{Calls: []string{get, spins}}, false, "", "17.0.1+1", hot},
		{"without giving way", []int{13, 13, 13}, Loop{Calls: []string{get}}, false, "", "17.0.1+1", hot},
		{"with work there too", []int{13, 13, 13}, Loop{Calls: []string{get, spins}, Computes: true}, false, "", "17.0.1+1", hot},
		{"past a loop that counts", []int{13, 13, 13}, Loop{Calls: []string{get, spins}}, true, "G1", "17.0.1+1", spin},
		{"past a loop that counts, where it shows nobody", []int{13, 13, 13}, Loop{Calls: []string{get, spins}}, true, "Serial", "17.0.1+1", hot},
		{"past a loop that counts, before it did", []int{13, 13, 13}, Loop{Calls: []string{get, spins}}, true, "G1", "25.412-b08", hot},
		{"past a loop that counts, without counters", []int{13, 13, 13}, Loop{Calls: []string{get, spins}}, true, "", "17.0.1+1", hot},
	} {
		t.Run(test.name, func(t *testing.T) {
			var all []Observation
			for i, line := range test.lines {
				s := float64(i)
				all = append(all, observe(s, thread(1, "a", used(0.9*s, 9+s), allocated(0), func(t *threaddump.Thread) {
					t.Stack = stack("App.turn", "App.run")
					t.Stack[0].Line, t.Stack[0].Text = line, fmt.Sprintf("App.turn(App.java:%d)", line)
				})))
				all[i].Dump.Version = test.version
				if test.collector != "" {
					all[i].Counters = &Counters{Collector: test.collector}
				}
			}
			loops := map[string]Loop{"App.turn:13": work, "App.turn:14": {Computes: true}}
			expect(t, diagnose(append(all, Observation{Bytecode: &Bytecode{Loops: loops, Rounds: map[string]Round{"App.turn:13": {Loop: test.round, Counted: test.counted}}}})...), test.want)
		})
	}
}

// A swap of boxed numbers that never succeeds makes objects all the time, and computes the new one.
func TestLoopsThatSwapBoxes(t *testing.T) {
	const swap, box, get = juc + "atomic.AtomicReference.compareAndSet", "java.lang.Integer.valueOf", juc + "atomic.AtomicReference.get"
	const spin, hot = "spin/warning/likely: a | ", "hot-thread/warning/proven: a | "
	yields := at("!java.lang.Thread.yield0", "java.lang.Thread.yield", "App.turn", "App.run")
	runs := at("App.turn", "App.run")
	for _, test := range []struct {
		name  string
		top   part
		calls []string
		swaps bool
		want  string
	}{
		{"swaps", runs, []string{get, box, swap}, true, spin},
		{"swaps with a pause", yields, []string{get, box, swap, "java.lang.Thread.yield"}, true, spin},
		{"swaps for the object that is there", runs, []string{get, box, swap}, false, hot},
		{"swaps other objects", runs, []string{get, "App$State.<init>", swap}, false, hot},
		{"makes boxes for others", runs, []string{get, box}, false, hot},
		{"pauses in work", yields, []string{"App.step", "java.lang.Thread.yield"}, false, hot},
	} {
		var all []Observation
		for i := range 3 {
			s := float64(i)
			a := thread(1, "a", test.top, used(0.9*s, 9+s), allocated(int64(i)*6<<30))
			for _, fr := range a.Stack {
				fr.Line = 13
			}
			all = append(all, observe(s, a))
		}
		all = append(all, Observation{Bytecode: &Bytecode{Loops: map[string]Loop{"App.turn:13": {Calls: test.calls, Computes: true, Swaps: test.swaps}}}})
		t.Run(test.name, func(t *testing.T) { expect(t, diagnose(all...), test.want) })
	}
}

func TestCodeThatTakesNothingOut(t *testing.T) {
	for _, test := range []struct {
		code *Bytecode
		want string
	}{
		{nil, ""},
		{&Bytecode{}, ""},
		{&Bytecode{Read: 2, Calls: []string{"java.util.Map.computeIfAbsent", "java.util.List.add", "java.lang.StringBuilder.append"}},
			"java.util.List.add java.util.Map.computeIfAbsent"},
		{&Bytecode{Read: 2, Calls: []string{"java.util.Map.put"}, Others: true}, ""},
		{&Bytecode{Read: 2, Calls: []string{"java.util.Map.put"}, LetsGo: true}, ""},
		{&Bytecode{Read: 2, Calls: []string{"java.util.Map.put", "java.util.Map.remove"}}, ""},
		{&Bytecode{Read: 2, Calls: []string{"java.util.Map.put", "java.util.Iterator.remove"}}, ""},
		{&Bytecode{Read: 2, Calls: []string{juc + "BlockingQueue.put", juc + "BlockingQueue.take"}}, ""},
		{&Bytecode{Read: 2, Calls: []string{"java.util.Map.put", "java.util.Map.compute"}}, ""},
		{&Bytecode{Read: 2, Calls: []string{"java.util.List.add", "java.lang.ref.SoftReference.<init>"}}, ""},
		{&Bytecode{Read: 2, Calls: []string{"java.util.List.add", juc + "atomic.AtomicReference.set"}}, ""},
		{&Bytecode{Read: 2, Calls: []string{"java.util.List.add", juc + "atomic.AtomicLong.set"}}, "java.util.List.add"},
		{&Bytecode{Read: 2, Calls: []string{"java.util.Map.put", "shop.Sessions.remove"}}, ""},
		{&Bytecode{Read: 2, Calls: []string{"java.util.Map.put", "shop.Sessions.open"}}, "java.util.Map.put"},
		{&Bytecode{Read: 2, Calls: []string{"java.util.Map.put", juc + "ScheduledExecutorService.schedule"}}, ""},
		{&Bytecode{Read: 2, Calls: []string{"java.util.StringJoiner.add", "java.util.Calendar.add"}}, ""},
		{&Bytecode{Read: 2, Calls: []string{"java.util.List.add", "java.lang.System.arraycopy"}}, ""},
		{&Bytecode{Read: 2, Calls: []string{"java.util.Map.get", juc + "atomic.LongAdder.add"}}, ""},
		{&Bytecode{Read: 2, Calls: []string{"java.util.List.add", "java.lang.ThreadLocal.get", "java.lang.ThreadLocal.withInitial"}}, "java.util.List.add"},
		{&Bytecode{Read: 2, Calls: []string{"java.util.List.add", "java.lang.ThreadLocal.get", "java.lang.ThreadLocal.set"}}, ""},
		{&Bytecode{Read: 2, Calls: []string{"java.util.List.add", "java.lang.ThreadLocal.remove"}}, ""},
		{&Bytecode{Read: 2, Calls: []string{"java.util.Map.put", "java.util.List.remove"}, LetsGo: true, Broken: []string{"shop.Key"}}, "java.util.Map.put"},
		{&Bytecode{Read: 2, Calls: []string{"java.util.TimerTask.cancel"}, Held: []string{"java.util.Timer.schedule"}}, "java.util.Timer.schedule"},
		{&Bytecode{Read: 2, Calls: []string{"java.util.Timer.purge"}, Held: []string{"java.util.Timer.schedule"}}, ""},
	} {
		if got := strings.Join(test.code.keeps(), " "); got != test.want {
			t.Errorf("%+v: %q, want %q", test.code, got, test.want)
		}
	}
}

// Growth that a collection may yet take back is a warning where no code takes anything out.
func TestHeapGrowthOfWhatNoCodeTakesOut(t *testing.T) {
	keeps := &Bytecode{Read: 3, Calls: []string{"java.util.Map.put"}}
	takes := &Bytecode{Read: 3, Calls: []string{"java.util.Map.put", "java.util.Map.remove"}}
	for _, test := range []struct {
		name string
		age  float64
		code *Bytecode
		main bool
		want string
	}{
		{"nothing is taken out", 8, keeps, false, "heap-growth/warning/likely: a | "},
		{"something is", 8, takes, false, "heap-growth/info/possible: a | "},
		{"what is taken out is never found", 8, &Bytecode{Read: 3, Calls: []string{"java.util.Map.put"}, Unequal: []string{"shop.Key"}}, false, "heap-growth/warning/likely: a | "},
		{"what is taken out is another type", 8, &Bytecode{Read: 3, Calls: []string{"java.util.Map.put"}, Unequal: []string{"java.lang.Integer/java.lang.Long/shop.Cart"}}, false, "heap-growth/warning/likely: a | "},
		{"no class file", 8, nil, false, "heap-growth/info/possible: a | "},
		{"nothing is, while main begins", 8, keeps, true, "heap-growth/info/possible: main | "},
		{"nothing is, but it has not come at that rate since the start", 30, keeps, false, "heap-growth/info/possible: a | "},
	} {
		t.Run(test.name, func(t *testing.T) {
			look := filling(20*mb, 160*mb, 180*mb, 200*mb)
			for i := range look {
				th := look[i].Dump.Threads[0]
				th.Elapsed = lasting(test.age + float64(i))
				if test.main {
					th.Name = "main"
				}
			}
			if test.code != nil {
				look = append(look, Observation{Bytecode: test.code})
			}
			r := diagnose(look...)
			expect(t, r, test.want)
			evidence := fmt.Sprint(r.Findings[0].Evidence)
			if told := strings.Contains(evidence, "takes nothing out"); told != strings.Contains(test.want, "warning") {
				t.Errorf("evidence %s", evidence)
			}
			if other := test.code != nil && slices.Contains(test.code.Unequal, "java.lang.Integer/java.lang.Long/shop.Cart"); other {
				if !strings.Contains(evidence, "shop.Cart removes by a java.lang.Integer what is put by a java.lang.Long, and finds nothing") {
					t.Errorf("evidence %s", evidence)
				}
				return
			}
			unequal := test.code != nil && test.code.Unequal != nil
			if strings.Contains(evidence, "a new shop.Key is never found again") != unequal || strings.Contains(r.Findings[0].Advice, "Give shop.Key equals") != unequal {
				t.Errorf("evidence %s, advice %q", evidence, r.Findings[0].Advice)
			}
		})
	}
}

// One collection that is only put into is enough where others are emptied, if a good part of what is made
// stays, and if all classes were read.
func TestHeapGrowthOfOneCollection(t *testing.T) {
	const filled = "shop.Ledger.booked/java.util.Map.put/shop.Ledger.book:17"
	calls := []string{"java.util.Map.put", "java.util.Map.remove"}
	for _, test := range []struct {
		name string
		each int64
		age  float64
		code Bytecode
		want string
	}{
		{"one is only put into", 20 * mb, 8, Bytecode{Read: 3, Calls: calls, Filled: []string{filled}}, "heap-growth/warning/likely: a | "},
		{"one is, as far as some classes tell", 20 * mb, 8, Bytecode{Read: 3, Calls: calls, Filled: []string{filled}, Others: true}, "heap-growth/info/possible: a | "},
		{"one is, but next to nothing stays", 1500 * mb, 8, Bytecode{Read: 3, Calls: calls, Filled: []string{filled}}, "heap-growth/info/possible: a | "},
		{"one is, but it has not come at that rate since the start", 20 * mb, 30, Bytecode{Read: 3, Calls: calls, Filled: []string{filled}}, "heap-growth/info/possible: a | "},
	} {
		t.Run(test.name, func(t *testing.T) {
			look := filling(test.each, 160*mb, 180*mb, 200*mb)
			for i := range look {
				look[i].Dump.Threads[0].Elapsed = lasting(test.age + float64(i))
			}
			r := diagnose(append(look, Observation{Bytecode: &test.code})...)
			expect(t, r, test.want)
			const words = "the program puts into Ledger.booked (Map.put) in line 17 of Ledger.book again and again and never takes anything out of it"
			if told := strings.Contains(fmt.Sprint(r.Findings[0].Evidence), words); told != strings.Contains(test.want, "warning") {
				t.Errorf("evidence %v", r.Findings[0].Evidence)
			}
			if told := strings.HasSuffix(r.Findings[0].Title, "; Ledger.booked is only ever put into, by Ledger.book"); told != strings.Contains(test.want, "warning") {
				t.Errorf("title %q", r.Findings[0].Title)
			}
		})
	}
}

func TestWhyWhatIsPutStays(t *testing.T) {
	for _, test := range []struct{ filled, title, seen, advice string }{
		{"shop.History.last/shop.Entry.<init>/shop.History.add:9", "; History.last keeps all that it has held before, by History.add",
			"each new Entry that the program writes to History.last in line 9 of History.add keeps the one that was there before", "Look at "},
		{"shop.Memo.all/java.util.Map.put/shop.Memo.of:9/shop.Memo$Key", "; Memo.all is only ever put into, by Memo.of",
			"each new shop.Memo$Key is another key there, as the class has no equals", "Give shop.Memo$Key equals and hashCode. Look at "},
	} {
		look := filling(20*mb, 160*mb, 180*mb, 200*mb)
		for i := range look {
			look[i].Dump.Threads[0].Elapsed = lasting(8 + float64(i))
		}
		r := diagnose(append(look, Observation{Bytecode: &Bytecode{Read: 3, Calls: []string{"java.util.Map.put", "java.util.Map.remove"}, Filled: []string{test.filled}}})...)
		expect(t, r, "heap-growth/warning/likely: a | ")
		f := r.Findings[0]
		if !strings.HasSuffix(f.Title, test.title) || !strings.Contains(fmt.Sprint(f.Evidence), test.seen) || !strings.HasPrefix(f.Advice, test.advice) {
			t.Errorf("%q, %v, %q; want %+v", f.Title, f.Evidence, f.Advice, test)
		}
	}
}

// Who waits at an object of its own may be a worker that wants the next of its letters, but not
// where its class files say that it comes there once.
func TestWhoWaitsOnce(t *testing.T) {
	waits := func(id int64, name string) *threaddump.Thread {
		return thread(id, name, at("!java.lang.Object.wait", "Slot.take", "Teller.run"), waitingState, used(0, 9), func(t *threaddump.Thread) {
			for i, f := range t.Stack {
				f.Line = 10 + i
			}
			lockOn(t, threaddump.WaitingOn, uint64(0x70+id), "Slot")
		})
	}
	main := thread(9, "main", at("!java.lang.Object.wait", "java.lang.Thread.join", "App.main"), waitingState, used(0, 9), func(t *threaddump.Thread) {
		lockOn(t, threaddump.WaitingOn, 0x9, "java.lang.Thread")
	})
	const guard, caller = "Slot.take:11>wait", "Teller.run:12>take"
	for _, test := range []struct {
		straight []string
		want     Severity
	}{
		{[]string{caller}, Info}, // it waits in a loop that does more
		{[]string{caller, guard}, Warning},
		{[]string{guard}, Info}, // the caller's loop comes back for the next
		{nil, Info},
	} {
		code := &Bytecode{Straight: map[string]bool{}}
		for _, place := range test.straight {
			code.Straight[place] = true
		}
		var all []Observation
		for i := range 3 {
			all = append(all, observe(float64(i), waits(1, "a"), waits(2, "b"), main))
		}
		r := diagnose(append(all, Observation{Bytecode: code})...)
		if len(r.Findings) == 0 || r.Findings[0].Kind != KindMissedSignal || r.Findings[0].Severity != test.want {
			t.Errorf("%q: %+v, want %s", test.straight, r.Findings, test.want)
		}
	}
}

// What a timer holds is kept only if the heap is full before any of it is due.
func TestTimersThatMayBeginToLetGo(t *testing.T) {
	g := growing{at: 4 * time.Minute, fullIn: 4 * time.Minute}
	for _, test := range []struct {
		code *Bytecode
		want bool
	}{
		{nil, false},
		{&Bytecode{Held: []string{"java.util.Timer.schedule"}, HeldFor: 5 * time.Minute}, true},
		{&Bytecode{Held: []string{"java.util.Timer.schedule"}, HeldFor: 9 * time.Minute}, false},
		{&Bytecode{}, false},
	} {
		if got := test.code.heldNoLonger(g); got != test.want {
			t.Errorf("%+v: %v", test.code, got)
		}
	}
	for call, want := range map[string]string{"shop.Task.cancel": "", "shop.Task.stop": "java.util.List.add"} {
		b := &Bytecode{Read: 1, Calls: []string{"java.util.List.add", call}}
		if got := strings.Join(b.keeps(), " "); got != want {
			t.Errorf("%s: %q", call, got)
		}
	}
}
