package classfile

import (
	"fmt"
	"strings"
	"testing"
)

// Each case is a class Shop that main makes one of, and whose run goes on without end.
func TestFieldsThatAreOnlyFilled(t *testing.T) {
	const list, m = "private final List<Object> all = new ArrayList<>(); ", "private final Map<Object, Object> all = new ConcurrentHashMap<>(); "
	const lists = "private final Map<String, List<Object>> all = new HashMap<>(); static String name() { return System.console().readLine(); } "
	const own = "private static final ThreadLocal<List<Object>> all = ThreadLocal.withInitial(ArrayList::new); "
	const text = "private final StringBuilder all = new StringBuilder(); static String name() { return System.console().readLine(); } "
	const entry = "static class Entry { final byte[] o; Entry before; Entry(byte[] o, Entry before) { this.o = o; this.before = before; } } private Entry last; "
	const ids = "private final AtomicLong ids = new AtomicLong(); private long next; "
	const order = "static class Order { final long id; Order(long id) { this.id = id; } long id() { return id; } }"
	const key = "static class Key { final long id; Key(long id) { this.id = id; } public boolean equals(Object o) { return o instanceof Key && ((Key) o).id == id; } public int hashCode() { return (int) id; } }"
	cases := []struct {
		name, code string
		want       bool
	}{
		{"a list", list + `void work() { all.add(new byte[9]); }`, true},
		{"a list of numbers", list + `void work() { all.add(7); }`, false},
		{"a list that is looked at", list + `void work() { all.add(new byte[9]); System.out.println(all.size()); all.get(0); for (Object o : all) o.hashCode(); }`, true},
		{"a guarded list", `private static final List<Object> all = Collections.synchronizedList(new ArrayList<>()); void work() { all.add(new byte[9]); }`, true},
		{"a deque", `private final Deque<Object> all = new ArrayDeque<>(); void work() { all.push(new byte[9]); }`, true},
		{"a list whose last is taken", list + `void work() { all.add(new byte[9]); all.remove(all.size() - 1); }`, false},
		{"a list that is asked how full it is", list + `void work() { if (all.size() < 500) all.add(new byte[9]); }`, false},
		{"a list whose size others ask for", list + `int size() { return all.size(); } void work() { System.out.println(size()); all.add(new byte[9]); }`, true},
		{"a list whose size others ask for, to stop", list + `int size() { return all.size(); } void work() { if (size() < 500) all.add(new byte[9]); }`, false},
		{"a list whose size others ask for, to stop some time", list + `long size() { return all.size(); } void work() { all.add(new byte[9]); } static void more(Shop s, long most) { while (s.size() < most) s.work(); }`, false},
		{"a list that is begun anew", `private List<Object> all = new ArrayList<>(); void work() { all.add(new byte[9]); all = new ArrayList<>(); }`, false},
		{"a list that others get", list + `List<Object> all() { return all; } void work() { all.add(new byte[9]); java.util.function.Supplier<List<Object>> s = this::all; s.get(); }`, false},
		{"a list by who gives it", list + `List<Object> all() { return all; } void work() { all().add(new byte[9]); }`, true},
		{"a list by who gives it, emptied", list + `List<Object> all() { return all; } void work() { all().add(new byte[9]); all().clear(); }`, false},
		{"a list by who gives it, handed on", list + `List<Object> all() { return all; } void work() { all().add(new byte[9]); Collections.reverse(all()); }`, false},
		{"a list by who gives it, to who gives it on", list + `List<Object> all() { return all; } List<Object> every() { return all(); } void work() { every().add(new byte[9]); every().get(0); }`, true},
		{"a list by who gives it, to who gives it on, emptied", list + `List<Object> all() { return all; } List<Object> every() { return all(); } void work() { every().add(new byte[9]); every().remove(0); }`, false},
		{"one list or the other", list + `private final List<Object> other = new ArrayList<>(); List<Object> all() { if (hashCode() == 7) return other; return all; } void work() { all.add(new byte[9]); all().clear(); }`, false},
		{"a list or none", list + `List<Object> all() { if (hashCode() == 7) return null; return all; } void work() { all.add(new byte[9]); all().clear(); }`, false},
		{"a list by who gives it, behind an interface", `interface Kept { List<Object> all(); } static class Basket implements Kept { private final List<Object> all = new ArrayList<>(); public List<Object> all() { return all; } } final Kept kept = new Basket(); void work() { kept.all().add(new byte[9]); }`, false},
		{"a list that is handed on", list + `void work() { all.add(new byte[9]); Collections.reverse(all); }`, false},
		{"a list that is given", `private final List<Object> all; Shop(List<Object> all) { this.all = all; } Shop() { this(new ArrayList<>()); } void work() { all.add(new byte[9]); }`, true},
		{"a list that is given, and kept", `private final List<Object> all; Shop(List<Object> all) { this.all = all; } Shop() { this(more()); } static List<Object> more() { return null; } void work() { all.add(new byte[9]); }`, false},
		{"a list that is given, and emptied by who has made it", `final List<Object> all; Shop(List<Object> all) { this.all = all; } static Shop make() { List<Object> l = new ArrayList<>(); Shop s = new Shop(l); l.clear(); return s; } Shop() { all = new ArrayList<>(); } void work() { all.add(new byte[9]); }`, false},
		{"a list that a lambda has", list + `void work() { all.add(new byte[9]); Runnable r = () -> all.clear(); r.run(); }`, false},
		{"a list by a reference", list + `void work() { all.add(new byte[9]); Arrays.asList(1).forEach(all::remove); }`, false},
		{"what goes by an iterator", list + `void work() { all.add(new byte[9]); for (Iterator<Object> i = all.iterator(); i.hasNext(); ) { i.next(); i.remove(); } }`, false},
		{"a map that goes by its values", m + ids + `void work() { all.put(next++, new byte[9]); all.values().removeIf(o -> true); }`, false},
		{"a list that the constructor fills", list + `Shop() { all.add(new byte[9]); fill(); } void fill() { all.add("l"); } void work() { all.get(0); }`, false},
		{"a list of an object for each time", `static class Cart { final List<Object> lines = new ArrayList<>(); void add() { lines.add(new byte[9]); } } void work() { new Cart().add(); }`, false},
		{"a list of an object of many", list + `static void more() { new Shop().work(); } void work() { all.add(new byte[9]); if (all.isEmpty()) more(); }`, false},
		{"a queue with a bound", `private final BlockingDeque<Object> all = new LinkedBlockingDeque<>(9); void work() { all.offer(new byte[9]); }`, false},
		{"lists in a map", lists + `void work() { all.computeIfAbsent(name(), k -> new ArrayList<>()).add(new byte[9]); }`, true},
		{"lists in a map, by a variable", lists + `void work() { List<Object> of = all.get(name()); of.add(new byte[9]); of.get(0); }`, true},
		{"lists in a map that are emptied", lists + `void work() { all.get(name()).add(new byte[9]); all.get(name()).clear(); }`, false},
		{"lists in a map that go", lists + `void work() { all.get(name()).add(new byte[9]); all.remove(name()); }`, false},
		{"lists in a map that are replaced", lists + `void work() { all.get(name()).add(new byte[9]); all.put(name(), new ArrayList<>()); }`, false},
		{"lists in a map, of all of which some are emptied", lists + `void work() { all.get(name()).add(new byte[9]); for (List<Object> of : all.values()) of.clear(); }`, false},
		{"lists in a map that somebody gets", lists + `void work() { all.get(name()).add(new byte[9]); Collections.reverse(all.get(name())); }`, false},
		{"lists in a map that are asked how full they are", lists + `void work() { List<Object> of = all.get(name()); if (of.size() < 9) of.add(new byte[9]); }`, false},
		{"lists of threads", own + `void work() { all.get().add(new byte[9]); }`, true},
		{"lists of threads, by a variable", own + `void work() { List<Object> of = all.get(); of.add(new byte[9]); System.out.println(of.size()); }`, true},
		{"lists of threads that are emptied", own + `void work() { all.get().add(new byte[9]); if (hashCode() == 7) all.get().clear(); }`, false},
		{"lists of threads that go", own + `void work() { all.get().add(new byte[9]); all.remove(); }`, false},
		{"lists of threads that are replaced", own + `void work() { all.get().add(new byte[9]); all.set(new ArrayList<>()); }`, false},
		{"lists of threads that somebody gets", own + `void work() { all.get().add(new byte[9]); Collections.reverse(all.get()); }`, false},
		{"a text", text + `void work() { all.append(hashCode()).append(name()).append('.'); }`, true},
		{"a text that is looked at", text + `void work() { all.append(name()); System.out.println(all.length()); System.out.println(all); all.charAt(0); all.toString(); }`, false},
		{"a text that is printed", text + `void work() { all.append(name()); System.out.println(all.length()); System.out.println(all.toString()); }`, true},
		{"a text of numbers", text + `void work() { all.append(7).append(' '); }`, false},
		{"a text that is begun anew", text + `void work() { all.append(name()).append('.'); all.setLength(0); }`, false},
		{"a text that is begun anew, in one go", text + `void work() { all.append(name()).delete(0, 9); }`, false},
		{"a text that is asked how long it is", text + `void work() { if (all.length() < 900) all.append(name()); }`, false},
		{"bytes", `private final ByteArrayOutputStream all = new ByteArrayOutputStream(); void work() { all.write(new byte[9], 0, 9); }`, true},
		{"bytes that go", `private final ByteArrayOutputStream all = new ByteArrayOutputStream(); void work() { all.write(new byte[9], 0, 9); all.reset(); }`, false},
		{"a chain", entry + `void work() { last = new Entry(new byte[9], last); }`, true},
		{"a chain, by a variable", entry + `void work() { Entry e = new Entry(new byte[9], last); last = e; }`, true},
		{"a chain that is cut", entry + `void work() { last = new Entry(new byte[9], last); if (hashCode() == 7) last = null; }`, false},
		{"a chain that is gone back", entry + `void work() { last = new Entry(new byte[9], last); last = last.before; }`, false},
		{"a chain that is cut in the middle", entry + `void work() { last = new Entry(new byte[9], last); last.before.before = null; }`, false},
		{"one after the other", entry + `void work() { last = new Entry(new byte[9], null); }`, false},
		{"one that knows of the other", `static class Seen { final int more; Seen(byte[] o, Seen before) { more = before == null ? 0 : before.more + 1; } } Seen last; void work() { last = new Seen(new byte[9], last); }`, false},
		{"one that is made of a part of the other", entry + `void work() { last = new Entry(new byte[9], last.before); }`, false},
		{"a list of a method without end", `void work() { List<Object> own = new ArrayList<>(); while (true) own.add(new byte[9]); }`, true},
		{"a list of a method, one for each round", `void work() { while (true) { List<Object> own = new ArrayList<>(); own.add(new byte[9]); } }`, false},
		{"a list of a method that ends", `void work() { List<Object> own = new ArrayList<>(); for (int i = 0; i < 9; i++) own.add(new byte[9]); }`, false},
		{"a list of a method without end that is emptied", `void work() { List<Object> own = new ArrayList<>(); while (true) { own.add(new byte[9]); own.clear(); } }`, false},
		{"a list of a method without end that is begun anew", `void work() { List<Object> own = new ArrayList<>(); while (true) { own.add(new byte[9]); if (hashCode() == 7) own = new ArrayList<>(); } }`, false},
		{"a list of a method without end that is handed on", `void work() { List<Object> own = new ArrayList<>(); while (true) { own.add(new byte[9]); Collections.reverse(own); } }`, false},
		{"a list of a method without end that a lambda has", `void work() { List<Object> own = new ArrayList<>(); Runnable r = own::clear; while (true) { own.add(new byte[9]); r.run(); } }`, false},
		{"a queue", `private final Queue<Object> all = new ConcurrentLinkedQueue<>(); void work() { all.add(new byte[9]); }`, true},
		{"a queue that is emptied", `private final Queue<Object> all = new ConcurrentLinkedQueue<>(); void work() { all.add(new byte[9]); all.poll(); }`, false},
		{"a queue for others that none takes from", `private final Queue<Object> all = new LinkedBlockingQueue<>(); void work() { all.add(new byte[9]); }`, true},
		{"a queue for others with a bound", `private final Queue<Object> all = new LinkedBlockingQueue<>(9); void work() { all.offer(new byte[9]); }`, false},
		{"a map by a counter", m + ids + `void work() { all.put(next++, new byte[9]); }`, true},
		{"a map by an atomic one", m + ids + `void work() { all.put("k-" + ids.incrementAndGet(), new byte[9]); }`, true},
		{"a map by a remainder", m + ids + `void work() { all.put(ids.incrementAndGet() % 100, new byte[9]); }`, false},
		{"a map by a new identity", m + `void work() { all.computeIfAbsent(UUID.randomUUID().toString(), k -> new byte[9]); }`, true},
		{"a map by what comes", m + `void work() { all.put(System.console().readLine(), new byte[9]); }`, false},
		{"a map by a random number", m + `void work() { all.put(new Random().nextInt(900), new byte[9]); }`, false},
		{"a map by a number that is handed over", m + ids + `void work() { keep(ids.incrementAndGet()); } void keep(long id) { all.put(id, new byte[9]); }`, true},
		{"a map by a number that comes from two", m + ids + `void work() { keep(ids.incrementAndGet()); keep(7); } void keep(long id) { all.put(id, new byte[9]); }`, false},
		{"a map by the number of a new object", m + ids + `ORDER void work() { keep(new Order(ids.incrementAndGet())); } void keep(Order o) { all.put(o.id(), o); }`, true},
		{"a map by the number of an old object", m + ids + `ORDER final List<Order> orders = new ArrayList<>(); Shop() { for (int i = 0; i < 9; i++) orders.add(new Order(ids.incrementAndGet())); } void work() { for (Order o : orders) all.put(o.id(), o); }`, false},
		{"a map behind an interface", m + ids + `interface Store { void keep(long id, Object o); } static class Kept implements Store { final Map<Long, Object> all = new HashMap<>(); public void keep(long id, Object o) { all.put(id, o); } } final Store store = new Kept(); void work() { store.keep(ids.incrementAndGet(), new byte[9]); }`, true},
		{"a map behind an interface, by what comes", m + ids + `interface Store { void keep(long id, Object o); } static class Kept implements Store { final Map<Long, Object> all = new HashMap<>(); public void keep(long id, Object o) { all.put(id, o); } } final Store store = new Kept(); void work() { store.keep(ids.incrementAndGet(), new byte[9]); store.keep(hashCode(), new byte[9]); }`, false},
		{"a map by a key that a subclass has", ids + `abstract static class Repo { final Map<Object, Object> all = new HashMap<>(); abstract Object key(long id); void save(long id) { all.put(key(id), new byte[9]); } } static class Orders extends Repo { Object key(long id) { return "o" + id; } } final Repo repo = new Orders(); void work() { repo.save(ids.incrementAndGet()); }`, true},
		{"a map by a key that one of two subclasses has", ids + `abstract static class Repo { final Map<Object, Object> all = new HashMap<>(); abstract Object key(long id); void save(long id) { all.put(key(id), new byte[9]); } } static class Orders extends Repo { Object key(long id) { return "o" + id; } } static class Days extends Repo { Object key(long id) { return id % 7; } } final Repo repo = new Orders(), other = new Days(); void work() { repo.save(ids.incrementAndGet()); }`, false},
		{"a map by a new object that is made of a new number", m + ids + `KEY void work() { all.put(new Key(ids.incrementAndGet()), new byte[9]); }`, true},
		{"a map by a new object that is made of the same", m + `KEY void work() { all.put(new Key(7), new byte[9]); }`, false},
		{"a map by a new object that is equal to itself alone", m + `ORDER void work() { Order o = new Order(7); keep(o); o.id(); } void keep(Order o) { all.computeIfAbsent(o, k -> new byte[9]); }`, true},
		{"a map by an old object that is equal to itself alone", m + `ORDER private final Order one = new Order(7); void work() { keep(one); } void keep(Order o) { all.computeIfAbsent(o, k -> new byte[9]); }`, false},
		{"a map by what is taken from a queue", m + ids + `ORDER final BlockingQueue<Order> in = new LinkedBlockingQueue<>(); void work() { in.offer(new Order(ids.incrementAndGet())); Order o = in.poll(); all.put(o.id(), o); }`, true},
		{"a set of times", `private final Set<Object> all = new HashSet<>(); void work() { all.add("at " + System.nanoTime()); }`, true},
		{"a set of names", `private final Set<Object> all = new HashSet<>(); void work() { all.add(Thread.currentThread().getName()); }`, false},
		{"a map that may not keep", `private final Map<Object, Object> all = new WeakHashMap<>(); void work() { all.put(System.nanoTime(), new byte[9]); }`, false},
		{"a map with a bound", `private final Map<Object, Object> all = new LinkedHashMap<Object, Object>() { protected boolean removeEldestEntry(Map.Entry<Object, Object> e) { return size() > 9; } }; void work() { all.put(System.nanoTime(), new byte[9]); }`, false},
	}
	source := "import java.io.*; import java.util.*; import java.util.concurrent.*; import java.util.concurrent.atomic.*;\n"
	for i, test := range cases {
		run := "public void run() { while (true) work(); } public static void main(String[] a) { new Thread(new ShopNN()).start(); }"
		source += strings.NewReplacer("Shop", fmt.Sprintf("Shop%02d", i)).Replace("class Shop implements Runnable { " + strings.NewReplacer("ShopNN", "Shop", "ORDER", order, "KEY", key).Replace(test.code+run) + " }\n")
	}
	made := compile(t, source)
	for i, test := range cases {
		name := fmt.Sprintf("Shop%02d", i)
		uses, known := MapUses(classOf(t, made, name))
		if !known {
			t.Fatalf("%s: not followed", test.name)
		}
		got := ""
		for _, use := range uses {
			got += strings.Join(use.Filled, " ")
		}
		if (got != "") != test.want {
			t.Errorf("%s: filled %q, want %t", test.name, got, test.want)
		}
	}
}

// Where things are looked for by keys that have no equals, that is told: it is the reason. Objects that are what they
// are need none.
func TestFilledTellsOfKeysWithoutEquals(t *testing.T) {
	made := compile(t, `import java.util.*; class Shop implements Runnable {
	static class Order { final long id; Order(long id) { this.id = id; } }
	final Map<Object, Object> all = new HashMap<>(), asked = new HashMap<>(), other = new HashMap<>(), kept = new HashMap<>(), registered = new HashMap<>(), plain = new HashMap<>(); long next;
	final Set<Object> open = new HashSet<>();
	void work() {
		all.computeIfAbsent(new Order(7), k -> new byte[9]);
		if (asked.get(new Order(8)) == null) asked.put(new Order(8), new byte[9]);
		other.put(next++, new byte[9]);
		plain.put(new Order(9), new byte[9]);
		open.add(new Order(10));
		Order same = new Order(11); kept.put(same, new byte[9]); kept.containsKey(same);
		registered.putIfAbsent(new Order(12), new byte[9]);
	}
	public void run() { while (true) work(); }
	public static void main(String[] a) { new Thread(new Shop()).start(); } }`)
	uses, _ := MapUses(classOf(t, made, "Shop"))
	const want = "Shop.all/java.util.Map.computeIfAbsent/Shop.work:6/Shop$Order Shop.asked/java.util.Map.put/Shop.work:7/Shop$Order " +
		"Shop.kept/java.util.Map.put/Shop.work:11 Shop.open/java.util.Set.add/Shop.work:10 Shop.other/java.util.Map.put/Shop.work:8 Shop.plain/java.util.Map.put/Shop.work:9 " +
		"Shop.registered/java.util.Map.putIfAbsent/Shop.work:12"
	if got := strings.Join(uses["Shop"].Filled, " "); got != want {
		t.Errorf("filled %q, want %q", got, want)
	}
	made = compile(t, `import java.util.*; class Shop implements Runnable {
	static class Order { }
	final Map<Object, Object> all = new IdentityHashMap<>();
	void work() { all.computeIfAbsent(new Order(), k -> new byte[9]); }
	public void run() { while (true) work(); }
	public static void main(String[] a) { new Thread(new Shop()).start(); } }`)
	uses, _ = MapUses(classOf(t, made, "Shop"))
	if got := strings.Join(uses["Shop"].Filled, " "); strings.HasSuffix(got, "Order") {
		t.Errorf("a map by identity: filled %q", got)
	}
}
