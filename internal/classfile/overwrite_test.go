package classfile

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// Each body is that of a method that threads run.
func TestOverwriting(t *testing.T) {
	checkOverwriting(t, "public void run() { METHODS }", []overwritingCase{
		{"a random key below a bound", `map.put("mast-" + random.nextInt(3000), new byte[100]);`, true},
		{"a random key", `map.put("mast-" + random.nextInt(), new byte[100]);`, false},
		{"a remainder", `map.put(next.incrementAndGet() % 100, new byte[100]);`, true},
		{"a mask", `map.put((int) System.nanoTime() & 0xff, new byte[100]);`, true},
		{"a counter in a field", `map.put(total++, new byte[100]);`, false},
		{"an atomic counter", `map.put("k" + next.incrementAndGet(), new byte[100]);`, false},
		{"a new identity", `map.put(java.util.UUID.randomUUID(), new byte[100]);`, false},
		{"an object without equals", `map.put(new Shop(), new byte[100]);`, false},
		{"a constant", `map.put("latest", new byte[100]);`, true},
		{"a constant class", `map.put(String.class, new byte[100]);`, true},
		{"numbers", `map.put("count", total);`, false},
		{"a counter of a loop", `for (int i = 0; i < 500; i++) map.put(i, new byte[100]);`, true},
		{"a counter of a long loop backwards", `for (long i = 500; i >= 0; i--) map.put(i, new byte[100]);`, true},
		{"a counter without end", `for (int i = 0; ; i++) map.put(i, new byte[100]);`, false},
		{"a counter without end that is looked at", `for (int i = 0; ; i++) { map.put(i, new byte[100]); if (i > 5000) map.size(); }`, false},
		{"a long counter without end", `long n = 0; while (open) { map.put("k" + n, new byte[100]); n = n + 1; }`, false},
		{"a counter beside a bounded one", `for (int i = 0; i < 500; i++) map.put(total + "-" + i, new byte[100]);`, false},
		{"formatted", `map.put(String.format("%s-%d", "k", random.nextInt(5)), new byte[100]);`, true},
		{"formatted with a counter", `map.put(String.format("%s-%d", "k", total), new byte[100]);`, false},
		{"a builder", `map.put(new StringBuilder().append("k").append(random.nextInt(5)).toString(), new byte[100]);`, true},
		{"a builder with a counter", `map.put(new StringBuilder("k").append(total).toString(), new byte[100]);`, false},
		{"elements of an array", `for (String s : names) map.put(s, new byte[100]);`, true},
		{"one element of an array", `map.put(names[random.nextInt(names.length)], new byte[100]);`, true},
		{"elements of a list", `for (String s : list) map.put(s, new byte[100]);`, true},
		{"elements of what comes in", `for (String s : incoming()) map.put(s, new byte[100]);`, false},
		{"fields of elements", `for (Mast m : masts) map.put(m.id, new byte[100]);`, true},
		{"what elements give", `for (Mast m : masts) map.put(m.id(), new byte[100]);`, true},
		{"what changes in elements", `for (Mast m : masts) map.put(m.next(), new byte[100]);`, false},
		{"an enum", `for (Kind k : Kind.values()) map.put(k, new byte[100]);`, true},
		{"chosen elsewhere", `map.put(choose(), new byte[100]);`, true},
		{"counted elsewhere", `map.put(counted(), new byte[100]);`, false},
		{"handed on", `update("k" + random.nextInt(5));`, true},
		{"handed on, and from elsewhere", `update("k" + random.nextInt(5)); update("k" + total);`, false},
		{"a map that was made for it", `Map<Object, Object> m = new HashMap<>(); m.put("name", new byte[100]); map.put(total, m);`, false},
		{"a map that was made before", `Map<Object, Object> m = new HashMap<>(); while (true) m.put("name", new byte[100]);`, true},
		{"either of two", `map.put(open ? "a" : "b", new byte[100]);`, true}, // the last one counts
		{"an unsteady stack", `long l = 5; double d = l; map.put(l + (long) d, new Object[][] {{d}, {l}});`, true},
		{"a stamp that is kept", `long stamp; map.put(stamp = (long) (System.nanoTime() * 1.5), new byte[100]);`, false},
		{"words of what is read", `map.put(System.console().readLine().split(" ")[0], new byte[100]);`, false},
		{"arrays counted in", `int[] n = {0}; while (open) map.put(n[0]++, new byte[100]);`, false},
		{"handed on in a class that extends another", `class Son extends Shop { void hand() { update("k" + random.nextInt(5)); } } new Son().hand();`, true},
	})
}

// What is put once as the program starts is not replaced.
func TestStockIsNotOverwritten(t *testing.T) {
	stock := `static void stock() { for (int i = 0; i < 500; i++) map.put(i, new byte[100]); } `
	checkOverwriting(t, "METHODS", []overwritingCase{
		{"in main", `public static void main(String[] a) { for (int i = 0; i < 500; i++) map.put(i, new byte[100]); }`, false},
		{"called by main", stock + `public static void main(String[] a) { stock(); }`, false},
		{"called by main without end", stock + `public static void main(String[] a) { while (true) stock(); }`, true},
		{"called by main and a thread", stock + `public static void main(String[] a) { stock(); } public void run() { stock(); }`, true},
		{"in main without end", `public static void main(String[] a) throws Exception { while (open) { map.put("k", new byte[100]); Thread.sleep(9); } }`, true},
		{"in a constructor", `Shop() { map.put("k", new byte[100]); } static { map.put("l", new byte[100]); }`, false},
	})
}

// What is removed by a key that was just made is never found if its class has no equals.
func TestRemovingInVain(t *testing.T) {
	const source = `import java.util.*;
class Shop {
	final Map<Object, Object> map = new HashMap<>();
	Object last;
	final List<Object> list = new ArrayList<>();
	CODE
	static class Key { int a; Key() {} Key(int a) { this.a = a; } Key(String s) { a = s.length(); } }
	static final Map<Object, Object> all = new HashMap<>();
	static Object latest;
	static class Known { Known() { all.put(this, "v"); } }
	static class Last extends Key { Last() { latest = this; } }
	static class Equal { final int a = 5; public boolean equals(Object o) { return o instanceof Equal; } public int hashCode() { return 1; } }
	static class Heir extends Equal {}
	static class Ordered implements Comparable<Ordered> { public int compareTo(Ordered o) { return 0; } }
}
`
	const longs = `final Map<Long, String> calls = new HashMap<>(); void add(long id) { String v = calls.get(id); calls.put(id, v + 5); } `
	for _, test := range []struct{ name, code, want string }{
		{"as it is made", `void drop() { map.remove(new Key(5)); }`, "java.util.Map.remove Shop$Key"},
		{"by way of a variable", `void drop() { Key k = new Key(); map.remove(k); }`, "java.util.Map.remove Shop$Key"},
		{"by way of a method", `void drop() { take(new Key()); } Object take(Key k) { return map.remove(k); }`, "java.util.Map.remove Shop$Key"},
		{"by way of a method that others refer to", `void drop(List<Key> k) { take(new Key()); k.forEach(this::take); } void take(Key k) { map.remove(k); }`, ""},
		{"by way of a method that others call by an interface", `interface Taker { void take(Key k); } static class Desk extends Shop implements Taker { public void take(Key k) { map.remove(k); } void drop(Taker t, Key k) { take(new Key()); t.take(k); } }`, ""},
		{"a new lambda", `void drop() { list.remove((Runnable) () -> last = this); }`, "java.util.List.remove lambda"},
		{"a new lambda by way of a method", `void drop() { take(() -> last = this); } void take(Runnable r) { list.remove(r); }`, "java.util.List.remove lambda"},
		{"a new reference by way of a method", `void drop() { take(this::drop); } void take(Runnable r) { list.remove(r); }`, "java.util.List.remove lambda"},
		{"a lambda that is always the same", `void drop() { take(() -> {}); } void take(Runnable r) { list.remove(r); }`, ""},
		{"a lambda that was kept", `void drop() { Runnable r = () -> last = this; list.add(r); take(r); } void take(Runnable r) { list.remove(r); }`, ""},
		{"a lambda that the method keeps", `void drop() { take(() -> last = this); } void take(Runnable r) { list.add(r); list.remove(r); }`, ""},
		{"in a list", `void drop() { list.remove(new Key()); }`, "java.util.List.remove Shop$Key"},
		{"kept by its constructor", `void drop() { map.remove(new Known()); }`, ""},
		{"kept by its constructor in a field", `void drop() { map.remove(new Last()); }`, ""},
		{"by index as well", `void drop() { list.remove(new Key()); list.remove(0); }`, ""},
		{"kept as it is made", `void drop() { Key k; map.put(k = new Key(), "v"); map.remove(k); }`, ""},
		{"kept in a field as it is made", `void drop() { Key k; last = k = new Key(); map.remove(k); }`, ""},
		{"where a comparator may find it", `Map<Object, Object> tree() { return new TreeMap<>((a, b) -> 0); } void drop() { map.remove(new Key()); }`, ""},
		{"by index", `void drop() { list.remove(0); }`, ""},
		{"put before", `void drop() { Key k = new Key(); map.put(k, k); map.remove(k); }`, ""},
		{"by way of a method that others use too", `void drop(Key o) { take(new Key()); take(o); } Object take(Key k) { return map.remove(k); }`, ""},
		{"elsewhere with a key that may be found", `void drop(Key k) { map.remove(new Key()); map.remove(k); }`, ""},
		{"elsewhere by a reference", `void drop(List<Key> k) { map.remove(new Key()); k.forEach(map::remove); }`, ""},
		{"equal", `void drop() { map.remove(new Equal()); }`, ""},
		{"equal by what it extends", `void drop() { map.remove(new Heir()); }`, ""},
		{"ordered", `void drop() { map.remove(new Ordered()); }`, ""},
		{"of the JDK", `void drop() { map.remove(new String("k")); }`, ""},
		{"as another number", longs + `void drop(int id) { calls.remove(id); }`, "java.util.Map.remove java.lang.Integer/java.lang.Long/Shop"},
		{"a number as a text", longs + `void drop(String id) { calls.remove(id); }`, "java.util.Map.remove java.lang.String/java.lang.Long/Shop"},
		{"a text as a number", `static class Call { UUID id; } static final Map<String, Call> calls = Collections.synchronizedMap(new HashMap<>()); void add(Call c) { synchronized (calls) { calls.put(c.id.toString(), c); } } void drop(Call c) { calls.remove(c.id); }`, "java.util.Map.remove java.util.UUID/java.lang.String/Shop"},
		{"as another number, from a list", `List<Long> calls = new ArrayList<>(); void add(long id) { calls.add(id); } void drop(Object id) { calls.remove((Integer) id); }`, "java.util.List.remove java.lang.Integer/java.lang.Long/Shop"},
		{"as the same number", longs + `void drop(int id) { calls.remove((long) id); }`, ""},
		{"as any object", longs + `void drop(Object id) { calls.remove(id); }`, ""},
		{"as another number, of two that are put", longs + `void other(int id) { ((Map) calls).put(id, "v"); } void drop(int id) { calls.remove(id); }`, ""},
		{"as another number, from what may be another map", longs + `final Map<Integer, String> others = new HashMap<>(); void drop(int id) { Map<?, ?> of = calls; if (id > 5) of = others; of.remove(id); }`, ""},
		{"as another number, from what others are given", longs + `Object all() { return calls; } void drop(int id) { calls.remove(id); }`, ""},
		{"as another number, from what others put into", longs + `void fill(List<Object> from) { from.forEach(((Map) calls)::remove); } void drop(int id) { calls.remove(id); }`, ""},
		{"as another number, from what is filled at once", longs + `void all(Map<Long, String> from) { calls.putAll(from); } void drop(int id) { calls.remove(id); }`, ""},
		{"as another number, from what was given", `Map<Long, String> calls; Shop(Map<Long, String> calls) { this.calls = calls; } Shop() {} void add(long id) { calls.put(id, "v"); } void drop(int id) { calls.remove(id); }`, ""},
		{"as another number, from a copy", `Map<Long, String> calls = new HashMap<>(map()); Map<Long, String> map() { return null; } void add(long id) { calls.put(id, "v"); } void drop(int id) { calls.remove(id); }`, ""},
		{"as another number, where nothing is put", `Map<Long, String> calls = new HashMap<>(); void drop(int id) { calls.remove(id); }`, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			var classes []*Class
			for _, text := range compile(t, strings.Replace(source, "CODE", test.code, 1)) {
				c, err := Parse(text)
				if err != nil {
					t.Fatal(err)
				}
				classes = append(classes, c)
			}
			uses, _ := MapUses(classes)
			use := uses["Shop"]
			if desk, ok := uses["Shop$Desk"]; ok {
				use = desk
			}
			if got := strings.Join(slices.Concat(use.InVain, use.Unequal), " "); got != test.want {
				t.Errorf("%s: %q", test.code, got)
			}
		})
	}
}

type overwritingCase struct {
	name, code string
	want       bool
}

// shopTemplate is a class of a program, with what threads run left out.
const shopTemplate = `
class Shop {
	static final Map<Object, Object> map = new HashMap<>();
	static final Random random = new Random();
	static final AtomicInteger next = new AtomicInteger();
	static final String[] names = new String[9];
	final List<String> list = new ArrayList<>();
	final List<Mast> masts = new ArrayList<>();
	static volatile boolean open;
	int total;
	METHODS
	enum Kind { A, B }
	void open() { total++; open = true; }
	List<String> incoming() { return new ArrayList<>(list.subList(0, total)); }
	String choose() { return names[random.nextInt(9)]; }
	int counted() { return total; }
	void update(String key) { map.put(key, new byte[100]); }
	static class Mast {
		final String id = "m";
		int sent;
		String id() { return id; }
		int next() { return sent++; }
	}
}
`

// checkOverwriting compiles all cases at once, a class for each.
func checkOverwriting(t *testing.T, method string, cases []overwritingCase) {
	t.Helper()
	source := "import java.util.*;\nimport java.util.concurrent.atomic.*;\n"
	for i, test := range cases {
		class := strings.Replace(shopTemplate, "METHODS", strings.Replace(method, "METHODS", test.code, 1), 1)
		source += strings.ReplaceAll(class, "Shop", fmt.Sprintf("Shop%02d", i))
	}
	classes := map[string][]*Class{}
	for name, text := range compile(t, source) {
		c, err := Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		classes[name[:6]] = append(classes[name[:6]], c)
	}
	for i, test := range cases {
		t.Run(test.name, func(t *testing.T) {
			uses, known := MapUses(classes[fmt.Sprintf("Shop%02d", i)])
			got := !known
			for _, use := range uses {
				got = got || use.Overwrites
			}
			if got != test.want {
				t.Errorf("%s: %+v", test.code, uses)
			}
		})
	}
}

// A method of many loops and puts is gone through in time that grows with its length.
func TestManyLoopsAndPutsAreBounded(t *testing.T) {
	m := Method{Name: "main", descriptor: "()V", static: true}
	pc := 0
	add := func(in instruction) {
		in.pc = pc
		m.code = append(m.code, in)
		pc += 3
	}
	for range mostLoops {
		add(instruction{code: ifeq, op: opBranch, to: pc + 3})
	}
	for range 10_000 {
		add(instruction{code: aconstNull})
		add(instruction{code: aconstNull})
		add(instruction{code: newObject, member: "Shop"})
		add(instruction{code: invokeinterface, op: opCall, member: "java.util.Map.put", descriptor: "(Ljava/lang/Object;Ljava/lang/Object;)Ljava/lang/Object;"})
	}
	for i := range mostLoops {
		add(instruction{code: ifeq, op: opBranch, to: 3 * i})
	}
	if _, known := MapUses([]*Class{{Name: "Shop", Methods: []Method{m}}}); !known {
		t.Error("too much to follow")
	}
}

// A program of more code than can be followed says nothing.
func TestMuchCodeIsNotFollowed(t *testing.T) {
	c, err := Parse(compile(t, `import java.util.*; class Shop { Map<String, Object> map; void run() { map.put("k", new byte[100]); } }`)["Shop"])
	if err != nil {
		t.Fatal(err)
	}
	classes := []*Class{c}
	uses, known := MapUses(classes)
	if !uses["Shop"].Overwrites || !known {
		t.Errorf("uses %v, known %v", uses, known)
	}
	for range mostFollowed/len(c.Methods[1].code) + 1 {
		classes = append(classes, c)
	}
	if got, known := MapUses(classes); known {
		t.Errorf("uses %v", got)
	}
}

// What a class puts into a collection that its methods have made says nothing of those that are kept.
func TestWhatIsPutIntoLocalCollections(t *testing.T) {
	const add, put = "java.util.List.add", "java.util.Map.put"
	cases := []struct{ name, code, want string }{
		{"a list", `int sum() { List<Object> own = new ArrayList<>(); own.add("k"); own.add("l"); return own.size(); }`, add + " java.util.List.size"},
		{"a map and a list that is kept", `void sum() { Map<Object, Object> own = new HashMap<>(); own.put("k", "v"); list.add("k"); }`, put},
		{"a list as it is made", `void sum() { new ArrayList<>().add("k"); }`, "java.util.ArrayList.add"},
		{"a list that is kept too", `void sum() { List<Object> own = new ArrayList<>(); own.add("k"); list.add("k"); }`, ""},
		{"in another method", `void sum() { List<Object> own = new ArrayList<>(); own.add("k"); } void keep() { list.add("k"); }`, ""},
		{"by a reference", `void sum(List<Object> all) { List<Object> own = new ArrayList<>(); own.add("k"); all.forEach(list::add); }`, ""},
		{"by a lambda", `void sum(List<Object> all) { List<Object> own = new ArrayList<>(); own.add("k"); all.forEach(o -> own.add(o)); }`, ""},
		{"one that was handed over", `void sum(List<Object> own) { own.add("k"); }`, ""},
		{"one that is made elsewhere", `List<Object> made() { return new ArrayList<>(); } void sum() { made().add("k"); }`, ""},
		{"either", `void sum(boolean open) { List<Object> own = new ArrayList<>(); if (open) own = list; own.add("k"); }`, ""},
	}
	source := "import java.util.*;\n"
	for i, test := range cases {
		source += fmt.Sprintf("class Shop%02d { final List<Object> list = new ArrayList<>(); %s }\n", i, test.code)
	}
	made := compile(t, source)
	for i, test := range cases {
		name := fmt.Sprintf("Shop%02d", i)
		c, err := Parse(made[name])
		if err != nil {
			t.Fatal(err)
		}
		uses, _ := MapUses([]*Class{c})
		used := slices.DeleteFunc(uses[name].Local, func(member string) bool { return afterDot(member) == "<init>" })
		if got := strings.Join(used, " "); got != test.want {
			t.Errorf("%s: %q, want %q", test.name, got, test.want)
		}
	}
}

// What an object is made with is there to stay.
func TestWhatConstructorsFillIsNotReplaced(t *testing.T) {
	cases := []struct {
		code string
		want bool
	}{
		{`final Object[] slots = new Object[9]; ShopNN() { for (int i = 0; i < 9; i++) slots[i] = new Object(); }`, false},
		{`static final Object[] slots = new Object[9]; static { for (int i = 0; i < 9; i++) slots[i] = new Object(); }`, false},
		{`final Object[] slots = new Object[9]; void fill() { for (int i = 0; i < 9; i++) slots[i] = new Object(); }`, true},
		{`Object[] four() { Object[] some = new Object[4]; for (int i = 0; i < 4; i++) some[i] = new Object(); return some; }`, false},
		{`void run() { Object[] ring = new Object[4]; for (int i = 0; ; i++) ring[i % 4] = new Object(); }`, true},
		{`void run() throws Exception { Object[] ring = new Object[4]; for (int i = 0; i < 1000; i++) { ring[i % 4] = new Object(); Thread.sleep(9); } }`, true},
		{`void run(Object[] given) { Object[] ring = new Object[4]; ring = given; ring[0] = new Object(); }`, true},
	}
	source := ""
	for i, test := range cases {
		source += strings.ReplaceAll(fmt.Sprintf("class ShopNN { %s }\n", test.code), "ShopNN", fmt.Sprintf("Shop%02d", i))
	}
	made := compile(t, source)
	for i, test := range cases {
		c, err := Parse(made[fmt.Sprintf("Shop%02d", i)])
		if err != nil {
			t.Fatal(err)
		}
		if got := c.Replaces(); got != test.want {
			t.Errorf("%s: %v", test.code, got)
		}
	}
}

// Descriptors come from files that anybody may have written.
func TestParametersOfAnyDescriptor(t *testing.T) {
	for d, want := range map[string]string{
		"": "", "(": "", "()V": "", "(IJ)V": "IJ", "(I[BLjava/lang/String;)V": "I[L", "([": "[", "([[)V": "[", "(Lopen": "L", "(L;L)V": "LL", "([L": "[", "I": "I",
		"(" + strings.Repeat("I", 400) + ")V": strings.Repeat("I", mostParameters),
	} {
		if got := string(parameters(d)); got != want || len(exactly(d)) != len(want) {
			t.Errorf("%q: %q, not %q", d, got, want)
		}
	}
	if got := strings.Join(exactly("(I[Ljava/lang/Long;Ljava/lang/Long;)V"), ","); got != ",,java.lang.Long" {
		t.Error(got)
	}
}
