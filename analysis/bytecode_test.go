package analysis

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"jstall/threaddump"
)

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
