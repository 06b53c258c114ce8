package classfile

import (
	"fmt"
	"strings"
	"testing"
)

// counter is a program, with what its class does left out; it stands at HERE.
const counter = `
class Shop {
	final Map<Integer, Object> map = new HashMap<>();
	final BlockingQueue<Runnable> queue = new LinkedBlockingQueue<>();
	final Deque<Runnable> deque = new ArrayDeque<>();
	final List<Runnable> list = new ArrayList<>();
	final AtomicInteger free = new AtomicInteger();
	final AtomicReference<Object> last = new AtomicReference<>();
	final int[] slots = new int[9];
	volatile boolean open;
	int total;
	Object kept;
	Writer writer;
	OutputStream stream;
	InputStream answers;
	CODE
	static void await() {}
}
`

// placeCase is a program, and whether something is told of where it stands.
type placeCase struct {
	code string
	want bool
}

func checkPlaces(t *testing.T, cases []placeCase, tells func(c *Class, at Place) bool) {
	t.Helper()
	var codes []string
	for _, test := range cases {
		codes = append(codes, test.code)
	}
	for i, p := range programs(t, counter, codes...) {
		for _, c := range p.classes {
			if c.Name != p.name {
				continue
			}
			if got := tells(c, p.place()); got != cases[i].want {
				t.Errorf("%s: %v", cases[i].code, got)
			}
			gone := p.place()
			gone.Line = 4000
			if tells(c, gone) {
				t.Errorf("%s: told of a line that is not there", cases[i].code)
			}
		}
	}
}

func TestGates(t *testing.T) {
	gate := func(behind string) string {
		return strings.Replace(`synchronized void go() throws Exception { if (!open) { HERE } BEHIND }`, "BEHIND", behind, 1)
	}
	checkPlaces(t, []placeCase{
		{gate(""), true},
		{gate(`notifyAll();`), true},
		{gate(`kept.toString(); map.get(1); map.size(); if (map.isEmpty()) notify();`), true},
		{gate(`while (!open) wait();`), true},
		{gate(`total++;`), false},
		{gate(`kept = null;`), false},
		{gate(`slots[3] = 1;`), false},
		{gate(`list.remove(0);`), false},
		{gate(`queue.poll();`), false},
		{gate(`leave(); } void leave() {`), false},
		{gate(`free.get();`), true},
		{gate(`java.util.concurrent.locks.LockSupport.park(this);`), true},
		{gate(`free.decrementAndGet();`), false},
		{gate(`free.getAndDecrement();`), false},
		{gate(`last.getAndSet(null);`), false},
		{`void go() { total++; HERE }`, true},
		{`void go() { while (true) { java.util.concurrent.locks.LockSupport.park(this); HERE } }`, false},
		{`void go() { while (open) { total++; HERE } }`, false},
		{`void go() { total++; while (open) { HERE } }`, true},
	}, (*Class).IsGate)
	c, err := Parse(compile(t, "class Shop { boolean open; synchronized void go() throws Exception {\nwhile (!open)\nwait();\n} }")["Shop"])
	if err != nil {
		t.Fatal(err)
	}
	if !c.IsGate(Place{"Shop", "go", 3, "wait"}) {
		t.Error("no gate in a loop that waits")
	}
}

func TestWhatPutsIn(t *testing.T) {
	in := func(behind string) string {
		return strings.Replace(`synchronized void go(Runnable r, int n) throws Exception { while (!open) { HERE } BEHIND }`, "BEHIND", behind, 1)
	}
	checkPlaces(t, []placeCase{
		{in(`list.add(r);`), true},
		{in(`deque.addLast(r); notifyAll();`), true},
		{in(`slots[total++ % 9] = n;`), true},
		{in(`deque.push(r); list.size();`), true},
		{in(``), false},
		{in(`map.put(n, r);`), false},
		{in(`total = n;`), false},
		{in(`list.add(deque.removeFirst());`), false},
		{in(`slots[1] = slots[2];`), false},
		{`void go(List<Runnable> all) { Runnable r; while ((r = queue.poll()) == null) { HERE } all.add(r); }`, false},
		{`void go(Runnable r) { list.add(r); HERE }`, false},
		{`void go() { HERE list.add(null); }`, false},
		{in(`System.out.printf("%s takes %s", r, n);`), false},
		{in(`slots[n] = total;`), false},
		{in(`list.add(deque.getFirst());`), false},
		{in(`n = total; slots[1] = n;`), false},
		{`synchronized int go(byte[] into, int from) throws Exception { while (!open) { HERE } into[from] = (byte) total; return 1; }`, false},
		{`synchronized void go(List<Object> into, int most) throws Exception { while (!open) { HERE } into.add(map.remove(most)); }`, false},
	}, (*Class).PutsIn)
}

func TestWhatNothingFollows(t *testing.T) {
	checkPlaces(t, []placeCase{
		{`void go() { HERE }`, true},
		{`void go() { while (true) { HERE } }`, true},
		{`void go() { list.clear(); HERE }`, true},
		{`void go() { HERE System.out.println("bye " + total); }`, true},
		{`void go() { try { HERE } catch (RuntimeException e) { Thread.currentThread().interrupt(); throw new IllegalStateException(e); } }`, true},
		{`void go() { HERE list.clear(); }`, false},
		{`void go() { while (open) { list.clear(); HERE } }`, false},
		{`void go() { HERE new Thread(() -> {}).start(); }`, false},
		{`void go() { HERE leave(); } void leave() {}`, false},
	}, (*Class).NothingFollows)
}

func TestEndlessLoops(t *testing.T) {
	checkPlaces(t, []placeCase{
		{`void go() { while (true) { HERE } }`, true},
		{`void go() { while (true) { while (open) { HERE } } }`, true},
		{`void go() { while (true) { try { HERE } catch (RuntimeException e) { total++; } } }`, true},
		{`void go() { while (open) { HERE } }`, false},
		{`void go() { for (int i = 0; i < total; i++) { HERE } }`, false},
		{`void go() { do { HERE } while (open); }`, false},
		{`void go() { while (true) { if (open) break; HERE } }`, false},
		{`void go() { while (true) { if (open) return; HERE } }`, false},
		{`void go() { while (true) { try { HERE } catch (RuntimeException e) { return; } } }`, true},
		{`void go() { HERE }`, false},
		{`void go() { HERE while (true) { total++; } }`, false},
	}, (*Class).IsEndless)
}

func TestWhatEndsByItself(t *testing.T) {
	checkPlaces(t, []placeCase{
		{`void go() { HERE }`, true},
		{`void go() { while (open) { total++; } HERE }`, true},
		{`void go() { for (int i = 0; i < total; i++) { HERE } }`, true},
		{`void go() { for (int i = 1; i <= 500; i++) { try { list.clear(); return; } catch (RuntimeException e) { HERE } } }`, true},
		{`void go() { for (Object o : list) { HERE } }`, true},
		{`void go() { int i = 0; do { HERE i++; } while (i < 9); }`, true},
		{`void go() { while (open) { HERE } }`, false},
		{`void go() { while (true) { HERE } }`, false},
		{`void go() { for (int i = 0; open; i++) { HERE } }`, false},
		{`void go() { while (open) { for (int i = 0; i < 9; i++) { HERE } } }`, false},
	}, (*Class).EndsByItself)
}

func TestWhoServesAQueue(t *testing.T) {
	checkPlaces(t, []placeCase{
		{`void go() throws Exception { while (open) { Runnable r = queue.take(); HERE } }`, true},
		{`void go() throws Exception { for (Runnable r; (r = deque.poll()) != null; ) { r.run(); HERE } }`, true},
		{`void go() throws Exception { while (open) { while (open) { HERE } deque.removeFirst(); } }`, true},
		{`void go() throws Exception { queue.take(); HERE }`, false},
		{`void go() throws Exception { queue.take(); while (open) { HERE } }`, false},
		{`void go() throws Exception { while (open) queue.take(); HERE }`, false},
		{`void go() throws Exception { while (open) { queue.put(null); HERE } }`, false},
		{`void go() throws Exception { while (open) { queue.peek(); HERE } }`, false},
		{`void go() throws Exception { while (open) { list.remove(0); HERE } }`, false},
	}, (*Class).ServesQueue)
	c, err := Parse(compile(t, "class Shop { java.util.concurrent.BlockingQueue<Runnable> q; void go() throws Exception {\nwhile (true)\nq.take().run();\n} }")["Shop"])
	if err != nil {
		t.Fatal(err)
	}
	for callee, want := range map[string]bool{"take": false, "run": true} {
		if got := c.ServesQueue(Place{"Shop", "go", 3, callee}); got != want {
			t.Errorf("in %s: %v", callee, got)
		}
	}
}

func TestWhoAsksFirst(t *testing.T) {
	checkPlaces(t, []placeCase{
		{`void go() throws Exception { stream.write(1); HERE }`, true},
		{`void go() throws Exception { new BufferedWriter(writer).newLine(); HERE }`, true},
		{`void go() throws Exception { writer.flush(); while (open) { HERE } }`, true},
		{`void go() throws Exception { if (open) { stream.write(1); } HERE }`, true},
		{`void go() throws Exception { StringWriter text = new StringWriter(); text.append("event"); HERE }`, false},
		{`void go() throws Exception { HERE stream.write(1); }`, false},
		{`void go() throws Exception { stream.close(); HERE }`, false},
		{`void go() throws Exception { answers.read(); HERE }`, false},
		{`void go() throws Exception { System.out.println("here"); HERE }`, false},
		{`void go() throws Exception { new StringBuilder().append("here"); HERE }`, false},
	}, (*Class).AsksFirst)
}

func TestWhoAsksEachTime(t *testing.T) {
	checkPlaces(t, []placeCase{
		{`void go() throws Exception { stream.write(1); HERE }`, true},
		{`void go() throws Exception { if (open) { stream.write(1); } HERE }`, false},
		{`void go() throws Exception { if (open) { stream.write(1); stream.flush(); } stream.write(2); HERE }`, true},
		{`void go() throws Exception { if (!open) return; stream.write(1); HERE }`, true},
		{`void go() throws Exception { switch (hashCode()) { case 1: stream.write(1); break; case 2: } HERE }`, false},
	}, (*Class).AsksAlways)
}

func TestWhatWasTakenBefore(t *testing.T) {
	const stock = `
	static class Store { void take() {} void give() {} boolean isEmpty() { return true; } }
	static class Vault { void lay() {} }
	static class Cellar extends Vault { void fetch() {} void put() {} }
	final Store store = new Store();
	final Cellar cellar = new Cellar();
	boolean open;
	`
	const take, fetch = "Store.take", "Cellar.fetch"
	cases := []struct{ code, want string }{
		{`store.take(); HERE`, take},
		{`store.take(); cellar.fetch(); HERE`, take + " " + fetch},
		{`store.take(); store.give(); HERE`, ""},
		{`store.take(); store.give(); store.take(); HERE`, take},
		{`store.take(); cellar.put(); HERE`, take},
		{`store.take(); if (store.isEmpty()) store.isEmpty(); HERE`, take},
		{`store.take(); store.take(); HERE`, take},
		{`HERE store.take();`, ""},
		{`store.take(); HERE store.give();`, take},
		{`store.take(); while (open) { HERE }`, take},
		{`try { store.take(); HERE } finally { store.give(); }`, take},
		{`cellar.put(); HERE`, ""},
		{`cellar.fetch(); cellar.lay(); HERE`, ""}, // by what it inherits
	}
	var codes []string
	for _, test := range cases {
		codes = append(codes, stock+`void go() { `+test.code+` }`)
	}
	for i, p := range programs(t, "class Shop { CODE static void await() {} }\n", codes...) {
		entered := map[string]bool{p.name + "$Store.take": true, p.name + "$Cellar.fetch": true, p.name + ".go": true}
		a := NewAhead(p.classes)
		got := strings.ReplaceAll(strings.Trim(fmt.Sprint(a.Taken(p.place(), entered)), "[]"), p.name+"$", "")
		if got != cases[i].want {
			t.Errorf("%s: %s, want %s", cases[i].code, got, cases[i].want)
		}
		if taken := a.Taken(Place{"Gone", "go", p.line, "await"}, entered); taken != nil {
			t.Errorf("%q in a class that is not there", taken)
		}
		if taken := a.Taken(p.place(), nil); len(taken) > 0 {
			t.Errorf("%s: %q of no methods", cases[i].code, taken)
		}
	}
}
