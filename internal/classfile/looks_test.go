package classfile

import (
	"bytes"
	"slices"
	"strings"
	"testing"
)

// A loop may ask by small methods of the program's own, which do nothing but look, and may count how often it
// has asked, to give way now and then.
func TestLoopsThatAskByOwnMethods(t *testing.T) {
	const source = `import java.util.concurrent.atomic.*;
class Berth {
	volatile boolean free; final AtomicLongArray seen = new AtomicLongArray(8); int[] all = new int[8]; int last; int[] log = new int[8];
	boolean isFree() { return free; }
	boolean has(long n) { return seen.get((int) (n & 7)) == n; }
	boolean through(long n) { return isFree() || has(n); }
	boolean notes(int n) { last = n; return free; }
	boolean walks(int n) { for (int i = 0; i < n; i++) if (all[i] == n) return true; return false; }
	int next(int n) { return n * 31 + 7; }
	volatile Node node;
	boolean never() { return false; }
	boolean either(long n) { return has(n) || isFree(); }
	int parent(int i) { return (int) seen.get(i); }
	boolean again(long n) { return isFree(); }
	int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
	static class Node { int key; Node next, other; int key() { return key; } Node next() { return next; } Node other() { return other; } }
	static class Wait {
		void plain(Berth b) { while (!b.isFree()) ; } // plain
		void gently(Berth b, long n) { int tries = 0; while (!b.has(n)) { if (++tries % 200 == 0) Thread.yield(); else Thread.interrupted(); } } // gently
		void twofold(Berth b, long n) { while (!b.through(n)) Thread.interrupted(); } // twofold
		void writing(Berth b, int n) { while (!b.notes(n)) ; } // writing
		void looping(Berth b, int n) { while (!b.walks(n)) ; } // looping
		void reckoning(Berth b, int n) { while (n != 0) n = b.next(n); } // reckoning
		void searching(Berth b) { long n = 0; while (!b.has(n)) n++; } // searching
		void dividing(Berth b, int n) { int of = 2; while (n % of != 0) { of++; Thread.yield(); } } // dividing
		void emptily(int n) { for (int i = 0; i < 1000000000; i++) ; } // emptily
		boolean find(Node n, int key) { while (n != null) { if (n.key() == key) return true; n = n.next(); } return false; } // find
		Node tree(Node n, int key) { while (n.key() != key) n = n.key() < key ? n.next() : n.other(); return n; } // tree
		Node stopped(Node n, AtomicLongArray stop) { while (n != null && stop.get(0) == 0) n = n.next(); return n; } // stopped
		int drains(java.util.Queue<String> q) { int n = 0; while (q.poll() != null) n++; return n; } // drains
		int seeks(AtomicLongArray stop) { int i = 0; while (stop.get(0) == 0) { if (i % 7 == 3 && i % 11 == 4) return i; i++; } return 0; } // seeks
		long leaps(AtomicLongArray stop) { long i = 0; while (stop.get(0) == 0) { if (i % 7 == 3) return i; i += 2; } return 0; } // leaps
		long hashes(AtomicLongArray stop, long x) { long h = 7; while (stop.get(0) == 0) h = (h & 1) == 0 ? h + x : h + h; return h; } // hashes
		void twice(Berth b, long n) { while (!b.through(n) && !b.again(n)) Thread.interrupted(); } // twice
		int loops(Berth b) { int n = 0; while (b.fib(n) >= 0) n++; return n; } // loops
		long retries(java.io.BufferedReader in) { for (;;) { try { return Long.parseLong(in.toString()) * 3; } catch (NumberFormatException e) {
			Thread.yield(); // retries
		} } }
		void trivially(Berth b) { while (!b.never()) ; } // trivially
		int unites(Berth b, int i) { while (b.parent(i) != i) i = b.parent(i); return i; } // unites
		boolean phase(Berth b) { Node n; do { n = b.node; } while (n.next() != n); return n.key() == 3; } // phase
		int hits(AtomicLongArray stop) { int n = 0, hits = 0; while (stop.get(0) == 0) { if (n % 3 == 0 || n % 5 == 0) hits++; n++; } return hits; } // hits
		int fills(java.util.Queue<String> q) { int n = 0; while (n < 1000000 && q.poll() != null) n++; return n; } // fills
		void odd(AtomicLongArray seq) { long s; while (((s = seq.get(0)) & 1) != 0) Thread.yield(); } // odd
		void both(Berth b, long n) { while (!b.either(n) && !b.has(n)) Thread.interrupted(); } // both
		void unknown(java.util.function.BooleanSupplier s) { while (!s.getAsBoolean()) Thread.interrupted(); } // unknown
	}
}
`
	classes := map[string]*Class{}
	for name, text := range compile(t, source) {
		c, err := Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		classes[name] = c
	}
	const asks, yield, get = "java.lang.Thread.interrupted", "java.lang.Thread.yield", "java.util.concurrent.atomic.AtomicLongArray.get"
	for method, want := range map[string]struct {
		calls  []string
		counts bool
		works  bool
	}{
		"plain": {}, "gently": {calls: []string{get, yield, asks}}, "twofold": {calls: []string{get, asks}},
		"writing": {calls: []string{"Berth.notes"}}, "looping": {calls: []string{"Berth.walks"}},
		"reckoning": {calls: []string{"Berth.next"}}, "searching": {calls: []string{get}, counts: true, works: true},
		"dividing": {calls: []string{yield}, counts: true, works: true}, "emptily": {counts: true},
		"find": {works: true}, "tree": {works: true}, "stopped": {calls: []string{get}, works: true},
		"drains": {calls: []string{"java.util.Queue.poll"}, counts: true}, "seeks": {calls: []string{get}, counts: true, works: true},
		"leaps": {calls: []string{get}, counts: true, works: true}, "hashes": {calls: []string{get}, counts: true, works: true},
		"twice": {calls: []string{get, asks}}, "loops": {calls: []string{"Berth.fib"}, counts: true, works: true},
		"retries":   {calls: []string{"java.lang.Object.toString", "java.lang.Long.parseLong", yield}},
		"trivially": {calls: []string{"Berth.never"}}, "unites": {calls: []string{get}, works: true}, "phase": {},
		"hits": {calls: []string{get}, counts: true, works: true}, "fills": {calls: []string{"java.util.Queue.poll"}, counts: true},
		"odd": {calls: []string{get, yield}}, "both": {calls: []string{get, asks}},
		"unknown": {calls: []string{"java.util.function.BooleanSupplier.getAsBoolean", asks}},
	} {
		before, _, _ := strings.Cut(source, "// "+method)
		l, ok := classes["Berth$Wait"].LoopAt(method, 1+strings.Count(before, "\n"))
		l = l.Through(func(name string) *Class { return classes[name] })
		if !ok || !slices.Equal(l.Calls, want.calls) || l.Counts != want.counts || l.Computes != want.works {
			t.Errorf("%s: %+v %v, want %+v", method, l, ok, want)
		}
	}
}

// Where a loop has others within, it may do nothing on the way round that goes through none of these.
func TestTheWayRoundPastLoopsWithin(t *testing.T) {
	const source = `import java.util.concurrent.atomic.*;
class Table {
	final AtomicLong edition = new AtomicLong(); final AtomicLongArray all = new AtomicLongArray(9);
	long read() { for (;;) {
		long begun = edition.get(); // begins
		if ((begun & 1) == 0) {
			long sum = 0;
			for (int i = 0; i < 9; i++) sum += all.get(i); // adds
			if (edition.get() == begun) return sum; // ends
		}
		Thread.yield(); // yields
	} }
	void always() { for (;;) {
		long begun = edition.get(); // always begins
		for (int i = 0; i < 9; i++) begun += all.get(i);
		Thread.yield();
	} }
	void none() { while (edition.get() % 3 != 0) Thread.yield(); } // none
	void works() { long sum = 0; for (;;) {
		if (edition.get() % 7 == 2) { while (edition.get() < 9) Thread.yield(); }
		sum = sum * 31 + 7; // works
	} }
}
`
	c, err := Parse(compile(t, source)["Table"])
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		method, at  string
		loop, round string
	}{
		{"read", "begins", "works", "asks"},
		{"read", "adds", "works", ""},
		{"read", "ends", "works", ""},
		{"read", "yields", "works", "asks"},
		{"always", "always begins", "works", ""},
		{"none", "none", "asks", ""},
		{"works", "works", "works", "works"},
	} {
		before, _, _ := strings.Cut(source, "// "+test.at)
		line := 1 + strings.Count(before, "\n")
		loop, inLoop := c.LoopAt(test.method, line)
		round, counted, inRound := c.WayRound(test.method, line)
		if a, b := whatItDoes(loop, inLoop), whatItDoes(round, inRound); a != test.loop || b != test.round || inRound && counted != (test.method == "read") {
			t.Errorf("%s at %s: %q %+v, on the way round %q %+v; want %q and %q", test.method, test.at, a, loop, b, round, test.loop, test.round)
		}
	}
}

func whatItDoes(l Loop, known bool) string {
	switch {
	case !known:
		return ""
	case l.Computes || l.Counts:
		return "works"
	}
	return "asks"
}

// Who looks round for a place that is free works out where to ask next, and no more. What is compiled for
// JDK 8 cannot call onSpinWait, so that the name of another method is changed to it in the class file.
func TestLoopsThatLookRoundAndSpin(t *testing.T) {
	const source = `import java.util.concurrent.atomic.*;
class Quay {
	final AtomicLongArray all = new AtomicLongArray(8); int[] plain = new int[8]; int tries;
	int wraps(long n) { int i = 3; while (!all.compareAndSet(i, 0, n)) { i = (i + 1) % all.length(); Thread.yield(); } return i; } // wraps
	int resets(long n) { int i = 3; while (!all.compareAndSet(i, 0, n)) { if (++i == all.length()) i = 0; Thread.yield(); } return i; } // resets
	int masks(long n) { int i = 0; while (all.get(i & 7) != n) { i++; Thread.yield(); } return i; } // masks
	int elements(int n) { int i = 0; while (plain[i] != n) { i = (i + 1) & 7; Thread.yield(); } return i; } // elements
	long burns(long until) { long x = 1; while (System.nanoTime() < until) { x = x * 31 + System.nanoTime(); Thread.yield(); } return x; } // burns
	int adds(int n) { int i = 0, sum = 0; while (plain[i] != n) { sum += plain[i]; i = (i + 1) & 7; Thread.yield(); } return sum; } // adds
	void notes(long n) { int i = 0; while (all.get(i & 7) != n) { i++; tries++; Thread.yield(); } } // notes
	final AtomicReferenceArray<String> refs = new AtomicReferenceArray<>(8); final AtomicLong seed = new AtomicLong(); int last;
	int takes(String s) { int i = 3; while (!refs.compareAndSet(i, null, s)) { i = (i + 1) % refs.length(); Thread.yield(); } return i; } // takes
	int peeks(long n) { for (int i = 3; ; i = i + 1 & 7) { long held = all.get(i); if (held == 0 && all.compareAndSet(i, 0, n)) return i; Thread.yield(); } } // peeks
	int measures(int n) { int i = 0; while (plain[i % plain.length] != n) { i += 3; Thread.yield(); } return i; } // measures
	long follows(long n) { long at = 0; while (all.get((int) (at++ & 7)) != n) { Thread.yield(); } return at; } // follows
	int keeps(long n) { for (int i = 3; ; i = i + 1 & 7) { if (all.compareAndSet(i, 0, n)) { last = i; return i; } Thread.yield(); } } // keeps
	int patiently(long n) { int i = 3, turns = 0; while (!all.compareAndSet(i, 0, n)) { i = i + 1 & 7; if (++turns % 100 == 0) Thread.yield(); } return i; } // patiently
	long sums(AtomicInteger stop) { long sum = 0; int i = 0; while (stop.get() == 0) { sum += all.get(i++ & 7); Thread.yield(); } return sum; } // sums
	long leaves(AtomicInteger stop) { long h = 7; for (;;) { if (stop.get() != 0) return Long.reverse(h); h = h * 31 + 7; Thread.yield(); } } // leaves
	double halves(AtomicInteger stop) { double x = 7; while (stop.get() == 0) { x = x * 1.5 + 0.1; Thread.yield(); } return x; } // halves
	long draws() { for (;;) { long s = seed.get(), n = s * 31 + 7; if (seed.compareAndSet(s, n)) return n; Thread.yield(); } } // draws
	void mixes(AtomicInteger stop) { long h = 7; while (stop.get() == 0) { h = h * 31 + 7; seed.getAndAdd(h); Thread.yield(); } } // mixes
	int rushes(long n) { int i = 3; while (!all.compareAndSet(i, 0, n)) { i = (i + 1) % all.length(); Thread.interrupted(); } return i; } // rushes
}
`
	changed := bytes.ReplaceAll(compile(t, source)["Quay"], []byte("\x00\x05yield"), []byte("\x00\x0aonSpinWait"))
	c, err := Parse(changed)
	if err != nil {
		t.Fatal(err)
	}
	for method, want := range map[string]string{
		"wraps": "asks", "resets": "asks", "masks": "asks", "elements": "asks", "takes": "asks", "peeks": "asks",
		"measures": "asks", "follows": "asks", "keeps": "asks", "patiently": "asks",
		"sums": "works", "leaves": "works", "halves": "works", "draws": "works", "mixes": "works",
		"burns": "works", "adds": "works", "notes": "works", "rushes": "works",
	} {
		before, _, _ := strings.Cut(source, "// "+method)
		l, ok := c.LoopAt(method, 1+strings.Count(before, "\n"))
		if got := whatItDoes(l, ok); got != want || slices.Contains(l.Calls, "java.lang.Thread.onSpinWait") == (method == "rushes") {
			t.Errorf("%s %s, want that it %s: %+v", method, got, want, l)
		}
	}
}
