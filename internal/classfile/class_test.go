package classfile

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"jstall/internal/jvmtest"
)

// compile makes the classes of a source text, by name.
func compile(t testing.TB, source string) map[string][]byte {
	t.Helper()
	dir := jvmtest.Compile(t, "Shop.java", source)
	classes := map[string][]byte{}
	paths, _ := filepath.Glob(filepath.Join(dir, "*.class"))
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		classes[strings.TrimSuffix(filepath.Base(path), ".class")] = text
	}
	return classes
}

const shop = `import java.util.*;
import java.util.concurrent.atomic.*;
class Shop {
	final AtomicBoolean taken = new AtomicBoolean();
	final Map<String, long[]> carts = new HashMap<>();
	volatile boolean open;
	int tries, sum;
	Object last;
	void spin() {
		while (!taken.compareAndSet(false, true)) {
			tries++;
			Thread.yield();
		}
	}
	void stand() {
		while (!open) ;
	}
	int add(int[] prices) {
		int all = 0;
		for (int i = 0; i < prices.length; i++)
			all += prices[i] * 31;
		return all;
	}
	void choose(int n) {
		switch (n) { case 1: sum = 1; break; case 2: sum = 2; break; case 300: sum = 3; break; default: sum = 4; }
		switch (n) { case 1: case 2: case 3: sum += n; }
		for (long l = 70000; l > n; l--) carts.put("c" + l, new long[70000]);
	}
	Node find(Node n, int key) {
		while (n != null && n.key != key)
			n = n.key < key ? n.right : n.left;
		return n;
	}
	void work(int[] x) {
		while (true) {
			if (!taken.get())
				continue;
			for (int i = 0; i < x.length; i++) x[i] *= 3;
		}
	}
	void publish(int n) {
		while (!top.compareAndSet(n * 2 - 1, n + 1))
			Thread.yield();
	}
	final java.util.concurrent.atomic.AtomicInteger top = new java.util.concurrent.atomic.AtomicInteger();
	void leap() {
		for (int i = 0; open; )
			i += 1000;
	}
	void drop(List<String> old) { old.forEach(carts::remove); }
	static class Node { int key; Node left, right; }
	static class Line {
		Object held;
		void hold(Object o) { held = o; }
	}
	static class Ring {
		final Object[] all = new Object[8];
		void put(int i, Object o) { all[i] = o; System.out.printf("%s %s", o, o); }
	}
	static class State {
		String name; Integer count; long[] sums = new long[4];
		void reset(String n) { name = n; count = n.length(); Arrays.fill(sums, 0); }
	}
	static class Log {
		void say(Object a, Object b) { System.out.printf("%s %s", a, b); }
	}
}
`

func lineWith(t testing.TB, text string) int {
	t.Helper()
	before, _, ok := strings.Cut(shop, text)
	if !ok {
		t.Fatalf("no line with %q", text)
	}
	return 1 + strings.Count(before, "\n")
}

func TestLoops(t *testing.T) {
	c, err := Parse(compile(t, shop)["Shop"])
	if err != nil {
		t.Fatal(err)
	}
	if c.Name != "Shop" || !slices.Contains(c.Refers, "java.util.concurrent.atomic.AtomicBoolean") || !c.Has("choose") {
		t.Errorf("%q refers to %q", c.Name, c.Refers)
	}
	asks := []string{"java.util.concurrent.atomic.AtomicBoolean.compareAndSet", "java.lang.Thread.yield"}
	for _, test := range []struct {
		method, text string
		want         Loop
		ok           bool
	}{
		{"spin", "while (!taken", Loop{Calls: asks, Counts: true}, true},
		{"spin", "yield", Loop{Calls: asks, Counts: true}, true},
		{"stand", "while (!open", Loop{}, true},
		{"add", "all += ", Loop{Counts: true, Computes: true}, true},
		{"find", "while (n != null", Loop{Computes: true}, true},
		{"work", "if (!taken.get())", Loop{Calls: []string{"java.util.concurrent.atomic.AtomicBoolean.get"}, Counts: true, Computes: true}, true},
		{"leap", "i += 1000", Loop{Counts: true}, true},
		{"publish", "while (!top", Loop{Calls: []string{"java.util.concurrent.atomic.AtomicInteger.compareAndSet", "java.lang.Thread.yield"}}, true},
		{"add", "return all", Loop{}, false},
		{"other", "while (!open", Loop{}, false},
	} {
		l, ok := c.LoopAt(test.method, lineWith(t, test.text))
		if ok != test.ok || !slices.Equal(l.Calls, test.want.Calls) || l.Counts != test.want.Counts || l.Computes != test.want.Computes || l.Swaps {
			t.Errorf("%s at %q: %+v, %v; want %+v", test.method, test.text, l, ok, test.want)
		}
	}
	calls := c.Calls()
	if !slices.Contains(calls, "java.util.Map.put") || !slices.Contains(calls, "java.util.Map.remove") {
		t.Errorf("calls %q", calls)
	}
}

func TestWhatReplaces(t *testing.T) {
	classes := compile(t, shop)
	for name, want := range map[string]bool{"Shop": false, "Shop$Line": true, "Shop$Ring": true, "Shop$Log": false, "Shop$State": false} {
		c, err := Parse(classes[name])
		if err != nil {
			t.Fatal(err)
		}
		if c.Replaces() != want {
			t.Errorf("%s replaces: %v", name, c.Replaces())
		}
		if slices.Contains(c.Calls(), "java.util.Arrays.fill") {
			t.Errorf("%s calls %q", name, c.Calls())
		}
	}
}

// Copies between arrays may take objects out of one, and a task may be held until it is due; not
// so between arrays of numbers, nor a task that is repeated.
func TestCallsThatChangeNothing(t *testing.T) {
	classes := compile(t, `import java.util.*;
class Calls {
	static class Bytes { byte[] b = new byte[9]; void copy(byte[] from) { System.arraycopy(from, 0, b, 0, 3); } }
	static class Closed { Object[] all = new Object[9]; void copy() { System.arraycopy(all, 1, all, 0, 8); } }
	static class Cut { void copy(Object[] all) { Object[] less = Arrays.copyOf(all, 3); System.arraycopy(all, 4, less, 1, 2); } }
	static class Again { void ring(Timer t, TimerTask a) { t.schedule(a, 1000, 1000); } }
	static class Once { void ring(Timer t, TimerTask a) { t.schedule(a, 1000); } }
}
`)
	for name, want := range map[string]string{
		"Bytes": "", "Closed": "java.lang.System.arraycopy", "Cut": "java.lang.System.arraycopy", "Again": "", "Once": "java.util.Timer.schedule",
	} {
		c, err := Parse(classes["Calls$"+name])
		if err != nil {
			t.Fatal(err)
		}
		calls := slices.DeleteFunc(c.Calls(), func(call string) bool { return call == "java.lang.Object.<init>" || call == "java.util.Arrays.copyOf" })
		if got := strings.Join(calls, " "); got != want {
			t.Errorf("%s calls %q, want %q", name, got, want)
		}
	}
}

// A swap succeeds that looks for the object which it has seen, and never one that looks for a
// new object of the same number.
func TestLoopsThatSwapNumbers(t *testing.T) {
	c, err := Parse(compile(t, `import java.util.concurrent.atomic.*;
class Swaps {
	final AtomicReference<Integer> n = new AtomicReference<>(1000);
	void sure() { Integer old; do { old = n.get(); } while (!n.compareAndSet(old, old + 1)); }
	void never() { int old; do { old = n.get(); } while (!n.compareAndSet(old, old + 1)); }
}
`)["Swaps"])
	if err != nil {
		t.Fatal(err)
	}
	for method, line := range map[string]int{"sure": 4, "never": 5} {
		if l, ok := c.LoopAt(method, line); !ok || l.Swaps != (method == "never") {
			t.Errorf("%s: %+v %v", method, l, ok)
		}
	}
}

// The same elements read again and again are what a loop asks for, each element after the other is work.
func TestLoopsThatReadArrays(t *testing.T) {
	c, err := Parse(compile(t, `import java.util.concurrent.locks.*;
class Reads {
	final StampedLock guard = new StampedLock(); final long[] bid = new long[9], ask = new long[9];
	long again(int row) { long stamp, b, a; do { stamp = guard.tryOptimisticRead(); b = bid[row]; a = ask[row]; } while (!guard.validate(stamp)); return a - b; }
	long each(int row) { long stamp, a; do { stamp = guard.tryOptimisticRead(); a = ask[row++]; } while (!guard.validate(stamp)); return a; }
	long chain(int row) { long stamp; do { stamp = guard.tryOptimisticRead(); row = (int) ask[row]; } while (!guard.validate(stamp)); return row; }
}
`)["Reads"])
	if err != nil {
		t.Fatal(err)
	}
	for method, line := range map[string]int{"again": 4, "each": 5, "chain": 6} {
		if l, ok := c.LoopAt(method, line); !ok || l.Computes != (method != "again") {
			t.Errorf("%s: %+v %v", method, l, ok)
		}
	}
}

// What a loop does only as it ends is none of its work.
func TestLoopsThatReturnFromWithin(t *testing.T) {
	const source = `import java.util.concurrent.atomic.*;
class Returns {
	final AtomicReference<Long> last = new AtomicReference<>(1000L); final AtomicInteger turn = new AtomicInteger();
	String boxed() { while (true) { long old = last.get(); if (last.compareAndSet(old, old + 1)) return String.format("%d", old); Thread.yield(); } } // boxed
	int[] plain(int n) { for (;;) { if (turn.get() == n) { int[] all = new int[n]; all[0] = n * 3; return all; } Thread.yield(); } } // plain
	String[] both(int n) { for (;;) { if (turn.get() == n) { String[] s = "a b".split(" "); if (s.length > n) return s; } Thread.yield(); } } // both
	int caught(int n) { for (;;) { try { if (turn.get() == n) { int x = n * 31; throw new IllegalStateException("" + x); } } catch (IllegalStateException e) { turn.get(); } } } // caught
	int chosen(int n) { for (;;) { switch (turn.get()) { case 1: return n * 3; case 2: return n / 7; default: Thread.yield(); } } } // chosen
	int behind(int n) { while (turn.get() != n) { if (turn.get() < 0) {
		return n * 3; // behind
	} Thread.yield(); } return n; }
}
`
	c, err := Parse(compile(t, source)["Returns"])
	if err != nil {
		t.Fatal(err)
	}
	const get, yield = "java.util.concurrent.atomic.AtomicInteger.get", "java.lang.Thread.yield"
	for method, want := range map[string]struct {
		calls []string
		works bool
	}{
		"plain":  {calls: []string{get, yield}},
		"both":   {calls: []string{get, "java.lang.String.split", yield}},
		"boxed":  {calls: []string{"java.util.concurrent.atomic.AtomicReference.get", "java.lang.Long.longValue", "java.lang.Long.valueOf", "java.util.concurrent.atomic.AtomicReference.compareAndSet", yield}},
		"chosen": {calls: []string{get, yield}, works: true}, // switches are, as far as can be told
	} {
		before, _, _ := strings.Cut(source, "// "+method)
		l, ok := c.LoopAt(method, 1+strings.Count(before, "\n"))
		if !ok || !slices.Equal(l.Calls, want.calls) || l.Swaps != (method == "boxed") || method != "boxed" && l.Computes != want.works {
			t.Errorf("%s: %+v %v, want %+v", method, l, ok, want)
		}
	}
	before, _, _ := strings.Cut(source, "// caught")
	if l, ok := c.LoopAt("caught", 1+strings.Count(before, "\n")); !ok || !l.Computes {
		t.Errorf("what is caught within: %+v %v", l, ok)
	}
	before, _, _ = strings.Cut(source, "// behind")
	if l, ok := c.LoopAt("behind", 1+strings.Count(before, "\n")); ok {
		t.Errorf("a line that ends the loop: %+v", l)
	}
}

func TestPlacesThatWaitOnce(t *testing.T) {
	const waits = `class Waits {
	boolean open; int jobs; java.util.Queue<Runnable> queue;
	synchronized void guard() throws Exception { while (!open) {
		wait(); // guard
	} }
	synchronized void plain() throws Exception {
		wait(); // plain
	}
	void works() throws Exception { while (true) { Runnable job; synchronized (this) { while (queue.isEmpty())
		wait(); // works
		job = queue.poll(); } job.run(); } }
	synchronized void asks() throws Exception { while (queue.isEmpty())
		wait(); // asks
	}
	void twice() throws Exception { for (int i = 0; i < 9; i++)
		guard(); // twice
	}
	void once() throws Exception {
		guard(); // once
	}
}
`
	c, err := Parse(compile(t, waits)["Waits"])
	if err != nil {
		t.Fatal(err)
	}
	for method, want := range map[string]bool{"guard": true, "plain": true, "works": false, "asks": false, "twice": false, "once": true} {
		callee := "wait"
		if method == "twice" || method == "once" {
			callee = "guard"
		}
		before, _, _ := strings.Cut(waits, "// "+method)
		if got := c.WaitsOnce(Place{"Waits", method, 1 + strings.Count(before, "\n"), callee}); got != want {
			t.Errorf("%s: %v", method, got)
		}
	}
	if c.WaitsOnce(Place{"Waits", "guard", 4000, "wait"}) {
		t.Error("a line that is not there")
	}
}

func TestCutClassesAreErrors(t *testing.T) {
	text := compile(t, shop)["Shop"]
	for i := range text {
		if _, err := Parse(text[:i]); err == nil {
			t.Fatalf("no error for the first %d of %d bytes", i, len(text))
		}
	}
}

// A class of many long names or branches costs no more than its bytes.
func TestHostileClassesAreBounded(t *testing.T) {
	m := Method{Name: "m"}
	for pc := range 60000 {
		m.code = append(m.code, instruction{pc: pc, line: 1 + pc%3000, op: opBranch, to: pc % 900})
	}
	c := &Class{Methods: []Method{m}}
	if _, ok := c.LoopAt("m", 7); !ok {
		t.Error("no loop")
	}
	c.WayRound("m", 7)
	talks := &Class{Name: "Talks"}
	for method := range 4 {
		m := Method{Name: fmt.Sprintf("m%d", method)}
		for pc := range 20000 {
			m.code = append(m.code, instruction{pc: pc, op: opCall, member: fmt.Sprintf("Talks.c%d_%d", method, pc)})
		}
		talks.Methods = append(talks.Methods, m)
	}
	asks := Loop{Calls: []string{"Talks.m0", "Talks.m1", "Talks.m2", "Talks.m3"}}
	if l := asks.Through(func(string) *Class { return talks }); !l.Computes || len(l.Calls) > 2*mostCalls {
		t.Errorf("%d calls, computes %v", len(l.Calls), l.Computes)
	}
	text := compile(t, strings.ReplaceAll(shop, "carts", strings.Repeat("c", 2000)))["Shop"]
	if _, err := Parse(text); err == nil {
		t.Error("no error for a name of 2,000 bytes")
	}
}

func FuzzParse(f *testing.F) {
	for _, text := range compile(f, shop) {
		f.Add(text, 10)
	}
	f.Fuzz(func(t *testing.T, text []byte, line int) {
		c, err := Parse(text)
		if err != nil {
			return
		}
		classes := []*Class{c}
		calls, ahead := NewCalls(classes), NewAhead(classes)
		for _, m := range c.Methods {
			if l, ok := c.LoopAt(m.Name, line); ok {
				l.Through(func(string) *Class { return c })
			}
			c.WayRound(m.Name, line)
			c.WaitsOnce(Place{c.Name, m.Name, line, "wait"})
			c.HoldsReadLock(Place{c.Name, m.Name, line, "lock"})
			c.IsGate(Place{c.Name, m.Name, line, "await"})
			c.NothingFollows(Place{c.Name, m.Name, line, "get"})
			c.ServesQueue(Place{c.Name, m.Name, line, "take"})
			c.AsksFirst(Place{c.Name, m.Name, line, "read"})
			at := Place{c.Name, m.Name, line, ""}
			calls.From(at)
			if ahead != nil {
				ahead.From(at)
				ahead.Before(at)
				ahead.Taken(at, map[string]bool{m.Name: true})
			}
		}
		c.Calls()
		c.Held(time.Minute)
		c.Replaces()
		MapUses(classes)
		Used(classes, nil)
		if ahead != nil && !ahead.Opaque() {
			ahead.Handed()
			ahead.Brings()
		}
	})
}
