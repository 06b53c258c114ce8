package classfile

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// harbour is a program, with what its classes do left out.
const harbour = `
class Shop {
	static final CountDownLatch latch = new CountDownLatch(1);
	static final Map<Integer, Object> map = new HashMap<>();
	static final List<Runnable> tasks = new ArrayList<>();
	static final List<Callable<Object>> questions = new ArrayList<>();
	static final AtomicInteger next = new AtomicInteger();
	static ExecutorService pool;
	static ScheduledExecutorService timer;
	static Thread worker;
	static Object kept;
	static volatile boolean open;
	static void await() {}
	CODE
}
`

// compiled is what a text was compiled to, and the line at which it says HERE.
type compiled struct {
	classes []*Class
	name    string
	line    int
}

// programs compiles several programs at once; HERE in their code is a call of await() in a line of its own.
func programs(t *testing.T, template string, codes ...string) []compiled {
	t.Helper()
	source := "import java.util.*;\nimport java.util.concurrent.*;\nimport java.util.concurrent.atomic.*;\nimport java.io.*;\n"
	all := make([]compiled, len(codes))
	for i, code := range codes {
		all[i].name = fmt.Sprintf("Shop%02d", i)
		code = strings.ReplaceAll(strings.Replace(template, "CODE", code, 1), "Shop", all[i].name)
		before, _, _ := strings.Cut(source+code, "HERE")
		all[i].line = 2 + strings.Count(before, "\n")
		source += strings.ReplaceAll(code, "HERE", "\nawait();\n")
	}
	for name, text := range compile(t, source) {
		c, err := Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		for i := range all {
			if strings.HasPrefix(name, all[i].name) {
				all[i].classes = append(all[i].classes, c)
			}
		}
	}
	return all
}

func (p compiled) place() Place { return Place{p.name, "go", p.line, "await"} }

// telling are those of some calls that end waits, by their names.
func telling(calls []Call) string {
	var names []string
	for _, call := range calls {
		if name := afterDot(call.Member); isOneOf(" countDown interrupt submit ", name) && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return strings.Join(names, " ")
}

// aheadCase is a program that stands in go, with what it may call from there, and what others may.
type aheadCase struct{ name, code, from, later, queued string }

func checkAhead(t *testing.T, cases []aheadCase) {
	t.Helper()
	codes := make([]string, len(cases))
	for i, test := range cases {
		codes[i] = test.code
	}
	for i, p := range programs(t, harbour, codes...) {
		test := cases[i]
		t.Run(test.name, func(t *testing.T) {
			a := NewAhead(p.classes)
			calls, ok := a.From(p.place())
			later, queued := a.Handed()
			got := fmt.Sprintf("%q, later %q, queued %q", telling(calls), telling(later), telling(queued))
			if want := fmt.Sprintf("%q, later %q, queued %q", test.from, test.later, test.queued); got != want || !ok {
				t.Errorf("%s: %s, want %s", test.code, got, want)
			}
		})
	}
}

func TestWhatLiesAhead(t *testing.T) {
	const count = "countDown"
	checkAhead(t, []aheadCase{
		{"behind", `void go() { HERE latch.countDown(); }`, count, "", ""},
		{"before", `void go() { latch.countDown(); HERE }`, "", "", ""},
		{"before, in the loop", `void go() { while (open) { latch.countDown(); HERE } }`, count, "", ""},
		{"before the loop", `void go() { latch.countDown(); while (open) { HERE } }`, "", "", ""},
		{"around the inner loop", `void go() { do { latch.countDown(); while (open) { HERE } } while (open); }`, count, "", ""},
		{"behind a loop", `void go() { while (open) { HERE } latch.countDown(); }`, count, "", ""},
		{"as it fails", `void go() { try { HERE } finally { latch.countDown(); } }`, count, "", ""},
		{"in what is called", `void go() { HERE leave(); } void leave() { latch.countDown(); }`, count, "", ""},
		{"in a constructor", `Shop(int n) { latch.countDown(); } void go() { HERE kept = new Shop(1); }`, count, "", ""},
		{"recursion", `void go() { HERE again(3); } void again(int n) { if (n > 0) again(n - 1); latch.countDown(); }`, count, "", ""},
		{"around itself", `void go() { go(); HERE latch.countDown(); }`, count, "", ""},
		{"itself", `void go() { HERE Thread.currentThread().interrupt(); }`, "", "", ""},
		{"itself, as a thread", `static class Worker extends Thread { public void run() { try { sleep(9); } catch (InterruptedException e) { interrupt(); } } } void go(Worker w) { HERE w.run(); }`, "", "", ""},
		{"what an own class does as it is interrupted", `static class Worker extends Thread { public void run() { try { sleep(9); } catch (InterruptedException e) { interrupt(); } } public void interrupt() { latch.countDown(); } } void go(Worker w) { HERE w.run(); }`, count, "", ""},
		{"as a thread, for others to call", `static class Worker extends Thread { public void run() { leave(); } void leave() { interrupt(); } } void go(Worker w) { HERE w.run(); }`, "interrupt", "", ""},
		{"a worker", `void go() { HERE worker.interrupt(); }`, "interrupt", "", ""},
		{"a worker of an own class", `static class Worker extends Thread {} void go(Worker w) { HERE w.interrupt(); }`, "interrupt", "", ""},
		{"one of two of a name", `void go() { HERE } void go(int n) { latch.countDown(); }`, "", "", ""},
	})
}

func TestWhatThreadsRun(t *testing.T) {
	const task = `static class Task implements Runnable { CountDownLatch latch; public void run() { latch.countDown(); } } `
	const count, worker = "countDown", `static class Worker extends Thread { public void run() { latch.countDown(); } } `
	checkAhead(t, []aheadCase{
		{"a lambda", `void go() { new Thread(() -> latch.countDown()).start(); HERE tasks.get(0).run(); }`, "", "", ""},
		{"with a name", `void go() { new Thread(() -> latch.countDown(), "w-" + next.incrementAndGet()).start(); HERE }`, "", "", ""},
		{"made ahead", `void go() { HERE new Thread(() -> latch.countDown()).start(); }`, count, "", ""},
		{"started ahead", `void go() { Thread t = new Thread(() -> latch.countDown()); HERE t.start(); }`, count, "", ""},
		{"a class", worker + `void go() { new Worker().start(); HERE }`, "", "", ""},
		{"a class made ahead", worker + `void go() { HERE new Worker().start(); }`, count, "", ""},
		{"a class started ahead", worker + `void go() { Worker w = new Worker(); HERE w.start(); }`, count, "", ""},
		{"a class that is a thread above", worker + `static class Son extends Worker {} void go() { new Son().start(); HERE }`, "", "", ""},
		{"a task in a variable", `void go() { Runnable r = () -> latch.countDown(); new Thread(r).start(); HERE }`, "", "", ""},
		{"a task that others may have too", `Runnable other; void go() { Runnable r = () -> latch.countDown(); other = r; new Thread(r).start(); HERE }`, "", "", ""},
		{"a task that is given to others too", `void go() { Runnable r = () -> latch.countDown(); new Thread(r).start(); java.util.concurrent.CompletableFuture.completedFuture(1).thenRun(r); HERE }`, "", count, ""},
		{"a task in a variable, for an executor", `void go() { Runnable r = () -> latch.countDown(); pool.submit(r); HERE }`, "", count, count},
		{"a task with a name that is made for it", `enum Side { LEFT } void go(Side side) { new Thread(() -> latch.countDown(), "at-" + side.name().toLowerCase()).start(); HERE }`, "", "", ""},
		{"a task that is one thing or the other", `void go(boolean often) { new Thread(often ? () -> latch.countDown() : () -> {}).start(); HERE }`, "", "", ""},
		{"a task that hands itself on", `static class Task implements Runnable { final java.util.List<Runnable> all = new java.util.ArrayList<>(); CountDownLatch latch; void enlist() { synchronized (this) { all.add(this); } } public void run() { latch.countDown(); } }
			void go() { Task t = new Task(); t.enlist(); new Thread(t).start(); HERE } void others(Task t) { t.all.forEach(pool::execute); }`, "", count, ""},
		{"a task that a lambda asks", `static class Task implements Runnable { int n; CountDownLatch latch; int seen() { return n; } public void run() { latch.countDown(); } }
			void go() { Task t = new Task(); new Thread(t).start(); java.util.function.IntSupplier s = () -> t.seen() + t.n; s.getAsInt(); HERE }`, "", "", ""},
		{"a task that a lambda hands on", `static class Task implements Runnable { int n; CountDownLatch latch; int seen() { return n; } public void run() { latch.countDown(); } }
			void go(java.util.List<Runnable> all) { Task t = new Task(); new Thread(t).start(); Runnable s = () -> all.add(t); s.run(); HERE } void others(java.util.List<Runnable> all) { pool.execute(all.get(0)); }`, "", count, ""},
		{"a task that is made of one thing or the other", `static class Task implements Runnable { CountDownLatch latch; Task(int n, Object of) {} public void run() { latch.countDown(); } }
			void go(boolean often) { new Thread(new Task(often ? 1 : 2, new Object())).start(); HERE }`, "", "", ""},
		{"a task in a variable, for a collection", `void go(java.util.List<String> names) { java.util.function.Consumer<String> each = name -> latch.countDown(); HERE names.forEach(each); }`, "", count, ""},
		{"one task of two", `void go(boolean fast) { Runnable r; if (fast) r = () -> latch.countDown(); else r = () -> {}; new java.util.Timer().schedule(null, 1); new Thread(r).start(); HERE }`, "", "", ""},
		{"a task of the round before", `void go(java.util.concurrent.ScheduledExecutorService timer) { Runnable last = null; for (int i = 0; i < 3; i++) { if (last != null) timer.execute(last); last = () -> latch.countDown(); new Thread(last).start(); } HERE }`, "", count, ""},
		{"a task that its constructor gives away", `static class Task implements Runnable { CountDownLatch latch; Task(java.util.Timer timer, java.util.List<Runnable> all) { all.add(this); } public void run() { latch.countDown(); } }
			void go() { Task t = new Task(null, new java.util.ArrayList<>()); HERE } void others(java.util.List<Runnable> all) { for (Runnable r : all) CompletableFuture.runAsync(r); }`, "", count, ""},
		{"a task that gives itself away as it runs", `static class Task implements Runnable { CountDownLatch latch; java.util.concurrent.ScheduledExecutorService timer; public void run() { latch.countDown(); timer.schedule(this, 1, null); } }
			void go() { pool.execute(new Task()); HERE }`, "", count, ""},
		{"a task that a lambda runs", `void go(java.util.List<Runnable> all) { Runnable r = () -> latch.countDown(); new Thread(r).start(); all.add(() -> r.run()); HERE }`, "", "", ""},
		{"a task by a default method", `interface Job extends Runnable { default void in(java.util.List<Runnable> all) { all.add(this); } }
			void go(java.util.List<Runnable> all) { Job j = () -> latch.countDown(); j.in(all); new Thread(j).start(); HERE }`, "", count, ""},
		{"a class by a default method", `interface Job extends Runnable { default void in(java.util.List<Runnable> all) { all.add(this); } }
			static class Task implements Job { CountDownLatch latch; public void run() { latch.countDown(); } }
			void go(java.util.List<Runnable> all) { Task t = new Task(); t.in(all); new Thread(t).start(); HERE } void others(BlockingQueue<Runnable> q) { new ThreadPoolExecutor(1, 1, 1, TimeUnit.DAYS, q).prestartAllCoreThreads(); }`, "", count, ""},
		{"a thread for an executor", worker + `void go() { pool.execute(new Worker()); HERE }`, "", count, ""},
		{"a thread beside another task", `void go(java.util.List<String> names) { Thread t = new Thread(() -> latch.countDown()); HERE names.forEach(name -> {}); t.start(); }`, count, "", ""},
		{"an executor that waits first", `void go() { java.util.concurrent.CompletableFuture.runAsync(() -> latch.countDown(), wait(9)); HERE }
			static java.util.concurrent.Executor wait(int seconds) { return task -> {}; }
			static class Late implements java.util.concurrent.Executor { public void execute(Runnable r) {} }`, "", count, count},
		{"a call that is inherited", `static class Gate extends CountDownLatch { Gate() { super(1); } } void go(Gate g) { HERE g.countDown(); }`, count, "", ""},
		{"a task that keeps itself to itself", `static class Task implements Runnable { int n; CountDownLatch latch; void up() { synchronized (this) { n++; } } public void run() { latch.countDown(); } }
			void go() { Task t = new Task(); t.up(); new Thread(t).start(); t.n++; HERE }`, "", "", ""},
		{"a task in a list, of which threads are made", task + `void go(List<Task> all) { all.add(new Task()); for (Task t : all) new Thread(t, "w").start(); pool.submit(() -> {}); HERE }`, "", "", ""},
		{"a task in a list, of which threads are made ahead", task + `void go(List<Task> all) { all.add(new Task()); HERE all.forEach(t -> new Thread(t).start()); }`, count, "", ""},
		{"a task in a list, run ahead", task + `void go() { tasks.add(new Task()); HERE tasks.get(0).run(); }`, count, "", ""},
		{"a task in a list, for an executor of an own class", task + `static class Desk extends ThreadPoolExecutor { Desk() { super(1, 1, 1, TimeUnit.DAYS, new LinkedBlockingQueue<>()); } } void go(Desk desk) { tasks.add(new Task()); HERE } void next(Desk desk) { desk.execute(tasks.get(0)); }`, "", count, ""},
		{"a task for an executor of an own class", task + `static class Desk extends ThreadPoolExecutor { Desk() { super(1, 1, 1, TimeUnit.DAYS, new LinkedBlockingQueue<>()); } } void go(Desk desk) { desk.execute(new Task()); HERE }`, "", count, ""},
		{"a task in a list that is also asked", `static class Task implements Runnable, java.util.function.IntSupplier { CountDownLatch latch; public int getAsInt() { latch.countDown(); return 1; } public void run() {} } void go(List<Task> all) { all.add(new Task()); new Thread(all.get(0)).start(); HERE }`, "", count, ""},
		{"a hook", `void go() { Runtime.getRuntime().addShutdownHook(new Thread(() -> latch.countDown())); HERE }`, "", count, ""},
		{"a hook of a class", worker + `void go() { Runtime.getRuntime().addShutdownHook(new Worker()); HERE }`, "", count, ""},
		{"a thread beside a hook", `void go() { Runtime.getRuntime().addShutdownHook(new Thread(() -> {})); new Thread(() -> latch.countDown()).start(); HERE }`, "", "", ""},
		{"a thread beside a hook in a variable", `void go() { Thread t = new Thread(() -> latch.countDown()); t.start(); Thread hook = new Thread(() -> {}); Runtime.getRuntime().addShutdownHook(hook); HERE }`, "", "", ""},
		{"a hook in a variable", `void go() { Thread hook = new Thread(() -> latch.countDown()); Runtime.getRuntime().addShutdownHook(hook); HERE }`, "", count, ""},
		{"a thread beside a hook that comes from elsewhere", `void hook(Thread hook) { Runtime.getRuntime().addShutdownHook(hook); } void go() { new Thread(() -> latch.countDown()).start(); HERE }`, "", count, ""},
		{"a hook without a name", `void go() { Runtime.getRuntime().addShutdownHook(new Thread() { public void run() { latch.countDown(); } }); HERE }`, "", count, ""},
	})
}

func TestWhatIsHandedToOthers(t *testing.T) {
	const count = "countDown"
	checkAhead(t, []aheadCase{
		{"a scheduler", `void go() { timer.schedule(() -> latch.countDown(), 9, TimeUnit.SECONDS); HERE }`, "", count, ""},
		{"an executor", `void go() { pool.submit(() -> latch.countDown()); HERE }`, "", "", count},
		{"a task that goes by a reference", `interface Way { void pass(Runnable r); } static void post(Way w, Runnable r) { w.pass(r); } void go(java.util.concurrent.CompletableFuture<String> exit) { post(exit::thenRun, () -> latch.countDown()); HERE }`, "", count, ""},
		{"an executor's execute", `void go() { pool.execute(() -> latch.countDown()); HERE }`, "", "", count},
		{"a future", `void go() { CompletableFuture.runAsync(() -> latch.countDown()); HERE }`, "", "", count},
		{"behind a future", `void go(CompletableFuture<String> f) { f.thenAccept(s -> latch.countDown()); HERE }`, "", count, ""},
		{"an object for an executor", `static class Job implements Runnable { public void run() { latch.countDown(); } } void go() { pool.submit(new Job()); HERE }`, "", "", count},
		{"an executor ahead", `void go() { HERE pool.submit(() -> latch.countDown()); }`, "countDown submit", "", count},
		{"to two", `void go() { pool.submit(() -> latch.countDown()); timer.schedule(() -> worker.interrupt(), 9, TimeUnit.SECONDS); HERE }`, "", "interrupt", count},
		{"a list that an executor gets", `void go() { tasks.add(() -> latch.countDown()); HERE } void others() { pool.execute(tasks.get(0)); }`, "", count, ""},
		{"a list of questions", `void go() { questions.add(() -> { latch.countDown(); return 1; }); HERE } void others() throws Exception { pool.invokeAll(questions); }`, "", count, ""},
		{"a field that an executor gets", `Runnable task; void go() { task = () -> latch.countDown(); HERE } void others() { pool.submit(task); }`, "", count, ""},
		{"a field", `Runnable task; void go() { task = () -> latch.countDown(); HERE }`, "", "", ""},
		{"called at once", `void go() { map.computeIfAbsent(1, k -> { latch.countDown(); return k; }); HERE }`, "", "", ""},
		{"each of a list, in which it is", `void go(List<Object> l) { l.forEach(o -> { latch.countDown(); }); HERE }`, "", "", ""},
		{"a method of the JDK", `void go() { timer.schedule(latch::countDown, 9, TimeUnit.SECONDS); HERE }`, "", count, ""},
		{"a method of the JDK for an executor", `void go() { pool.submit(latch::countDown); HERE }`, "", "", count},
		{"a method of the JDK ahead", `void go() { HERE kept = (Runnable) latch::countDown; }`, count, "", ""},
		{"a method of the program", `void ring() { latch.countDown(); } void go() { timer.schedule(this::ring, 9, TimeUnit.SECONDS); HERE }`, "", count, ""},
		{"a constructor", `static class Bell { Bell() { latch.countDown(); } } void go() { pool.submit(Bell::new); HERE }`, "", "", count},
		{"an own interface", `interface Ring { void at(); } void take(Ring r) {} void go() { take(() -> latch.countDown()); HERE }`, "", "", ""},
		{"an own interface that others know", `interface Ring extends Runnable {} void take(Ring r) {} void go() { take(() -> latch.countDown()); HERE }`, "", count, ""},
		{"an own interface, called", `interface Ring { void at(); } Ring ring; void go() { ring = () -> latch.countDown(); HERE ring.at(); }`, count, "", ""},
	})
}

// A thread that is in a loop of the JDK comes back to what that was given.
func TestWhatIsCalledAgainByTheJDK(t *testing.T) {
	cases := []struct{ code, in, want string }{
		{`void go(List<Object> l) {HERE l.forEach(o -> latch.countDown()); }`, "forEach", "countDown"},
		{`void go(List<Object> l) {HERE l.stream().map(o -> { latch.countDown(); return o; }).forEach(o -> {}); }`, "forEach", "countDown"},
		{`void go(List<Object> l) {HERE pool.submit(() -> latch.countDown()); l.forEach(o -> {}); }`, "forEach", ""},
		{`void go(List<Object> l) {HERE l.forEach(o -> latch.countDown()); l.clear(); }`, "clear", ""},
	}
	var codes []string
	for _, test := range cases {
		codes = append(codes, test.code)
	}
	for i, p := range programs(t, harbour, codes...) {
		calls, ok := NewAhead(p.classes).From(Place{p.name, "go", p.line + 1, cases[i].in})
		if got := telling(calls); got != cases[i].want || !ok {
			t.Errorf("%s: %q, want %q", cases[i].code, got, cases[i].want)
		}
	}
}

// They are called by name, as not every compiler knows them.
func TestWhatTheJDKBrings(t *testing.T) {
	for _, test := range []struct {
		member  string
		dropped bool
		want    string
	}{
		{"java.util.concurrent.ScheduledExecutorService.schedule", false, "[delay]"},
		{"java.util.concurrent.ScheduledExecutorService.schedule", true, "[]"},
		{"java.util.concurrent.ScheduledExecutorService.scheduleAtFixedRate", false, "[]"},
		{"java.util.concurrent.CompletableFuture.orTimeout", true, "[timeout]"},
		{"java.util.concurrent.CompletableFuture.delayedExecutor", false, "[delay]"},
		{"java.util.concurrent.CompletableFuture.join", true, "[]"},
		{"java.lang.Process.onExit", false, "[exit]"},
		{"java.lang.ProcessHandle.onExit", true, "[exit]"},
		{"java.net.http.HttpClient.sendAsync", false, "[http]"},
		{"java.net.http.HttpClient.send", false, "[]"},
		{"java.nio.channels.AsynchronousServerSocketChannel.accept", false, "[channel]"},
	} {
		m := Method{Name: "go", code: []instruction{{op: opCall, member: test.member}, {code: aconstNull}}}
		if test.dropped {
			m.code[1].code = pop
		}
		c := &Class{Name: "Shop", Methods: []Method{m, m}}
		if got := fmt.Sprint(NewAhead([]*Class{c}).Brings()); got != test.want {
			t.Errorf("%s, dropped %v: %s, want %s", test.member, test.dropped, got, test.want)
		}
	}
}

// What is called by the name of an interface may be anything that is made of it.
func TestWhatInterfacesMayRun(t *testing.T) {
	const count = "countDown"
	checkAhead(t, []aheadCase{
		{"a lambda of a list", `void go() { tasks.add(() -> latch.countDown()); HERE for (Runnable r : tasks) r.run(); }`, count, "", ""},
		{"a lambda of another interface", `void go() { questions.add(() -> { latch.countDown(); return 1; }); HERE tasks.get(0).run(); }`, "", "", ""},
		{"an object of a list", `static class Job implements Runnable { public void run() { latch.countDown(); } } void go() { tasks.add(new Job()); HERE tasks.get(0).run(); }`, count, "", ""},
		{"an object that is managed from outside", `public interface BellMBean { void ring(); } static class Bell implements BellMBean { public void ring() { latch.countDown(); } } void go() { kept = new Bell(); HERE }`, "", count, ""},
		{"an object that is never made", `static class Job implements Runnable { public void run() { latch.countDown(); } } void go() { HERE tasks.get(0).run(); }`, "", "", ""},
		{"what gives an answer", `static class Job implements Callable<Object> { public String call() { latch.countDown(); return ""; } } void go() throws Exception { questions.add(new Job()); HERE questions.get(0).call(); }`, count, "", ""},
		{"an abstract class", `static abstract class Job implements Runnable { public void run() { work(); } abstract void work(); } static class Count extends Job { void work() { latch.countDown(); } }
			void go() { tasks.add(new Count()); HERE tasks.get(0).run(); }`, count, "", ""},
		{"an abstract class that does not say so", `static abstract class Job { public void run() { latch.countDown(); } } static class Count extends Job implements Runnable {}
			void go() { tasks.add(new Count()); HERE tasks.get(0).run(); }`, count, "", ""},
		{"an own interface", `interface Quay { void moor(); } static class Pier implements Quay { public void moor() { latch.countDown(); } } void go(Quay q) { HERE q.moor(); }`, count, "", ""},
		{"an own interface with a body", `interface Quay { default void moor() { latch.countDown(); } } static class Pier implements Quay {} void go(Pier p) { HERE p.moor(); }`, count, "", ""},
		{"an own interface by way of a class that does not say so", `interface Quay { void moor(); } static class Wall { public void moor() { latch.countDown(); } } static class Pier extends Wall implements Quay {}
			void go(Quay q) { HERE q.moor(); }`, count, "", ""},
		{"lambdas that call each other", `Runnable a = () -> this.b.run(), b = () -> { latch.countDown(); this.a.run(); }; void go() { HERE a.run(); }`, count, "", ""},
		{"a method by its interface", `void go() { tasks.add(() -> latch.countDown()); HERE tasks.forEach(Runnable::run); }`, count, "", ""},
	})
}

func TestWhatMayHaveBeenCalledBefore(t *testing.T) {
	cases := []struct{ name, code, want string }{
		{"before", `void go() { pool.submit(latch::countDown); HERE worker.interrupt(); }`, "countDown submit"},
		{"behind", `void go() { HERE pool.submit(latch::countDown); }`, ""},
		{"before, in what is called", `void go() { hand(); HERE } void hand() { pool.submit(new FutureTask<>(() -> 1)); }`, "submit"},
		{"behind, in the loop", `void go() { while (open) { HERE pool.submit(new FutureTask<>(() -> 1)); } }`, "submit"},
	}
	var codes []string
	for _, test := range cases {
		codes = append(codes, test.code)
	}
	for i, p := range programs(t, harbour, codes...) {
		calls, ok := NewAhead(p.classes).Before(p.place())
		if got := telling(calls); got != cases[i].want || !ok {
			t.Errorf("%s: %q, want %q", cases[i].name, got, cases[i].want)
		}
	}
}

func TestPlacesAheadAndTheirClasses(t *testing.T) {
	p := programs(t, harbour, `void go() { latch.countDown(); HERE timer.execute(latch::countDown); Bell.ring(); } static class Bell { static void ring() { latch.countDown(); } }`)[0]
	a := NewAhead(p.classes)
	for _, test := range []struct {
		place Place
		want  string
	}{
		{p.place(), "[{java.util.concurrent.CountDownLatch.countDown } {java.util.concurrent.CountDownLatch.countDown Shop00$Bell} {java.util.concurrent.ScheduledExecutorService.execute Shop00}] true"},
		{Place{"Shop00$Bell", "ring", 0, ""}, "[{java.util.concurrent.CountDownLatch.countDown Shop00$Bell}] true"},
		{Place{"Gone", "go", p.line, "await"}, "[] false"},
		{Place{"Shop00", "gone", p.line, "await"}, "[] false"},
		{Place{"Shop00", "go", 4000, "await"}, "[] false"},
	} {
		calls, ok := a.From(test.place)
		calls = slices.DeleteFunc(calls, func(c Call) bool { return c.Member == "java.util.Objects.requireNonNull" })
		if got := fmt.Sprint(calls, ok); got != test.want {
			t.Errorf("%v: %s, want %s", test.place, got, test.want)
		}
	}
	byLine := p.place()
	byLine.Line, byLine.Callee = byLine.Line-1, "" // where it counts down
	if calls, ok := a.From(byLine); !ok || !slices.Contains(calls, Call{"java.util.concurrent.CountDownLatch.countDown", "Shop00"}) {
		t.Errorf("from the begin of a line: %v", calls)
	}
}

func TestWhatClassesDoNotShow(t *testing.T) {
	cases := []struct {
		code string
		want bool
	}{
		{`void go() { pool.submit(latch::countDown); kept = String.class.getName(); }`, false},
		{`void go(java.lang.reflect.Method m) throws Exception { m.invoke(this); }`, true},
		{`void go() throws Exception { String.class.getConstructor().newInstance(); }`, true},
		{`void go() throws Exception { Class.forName("Gone"); }`, true},
		{`void go(java.lang.invoke.MethodHandle h) throws Throwable { h.invoke(); }`, true},
		{`void go() { ServiceLoader.load(Runnable.class); }`, true},
		{`static class Bell { void go() throws Exception { Class.forName("Gone"); } }`, true},
	}
	var codes []string
	for _, test := range cases {
		codes = append(codes, test.code)
	}
	for i, p := range programs(t, harbour, codes...) {
		if got := NewAhead(p.classes).Opaque(); got != cases[i].want {
			t.Errorf("%s: opaque %v", cases[i].code, got)
		}
	}
}

// No dump shows what virtual threads do; they are called by name, as not every compiler knows them.
func TestVirtualThreadsAreNotShown(t *testing.T) {
	for member, want := range map[string]bool{
		"java.lang.Thread.startVirtualThread":                            true,
		"java.lang.Thread.ofVirtual":                                     true,
		"java.lang.Thread$Builder$OfVirtual.start":                       true,
		"java.util.concurrent.Executors.newVirtualThreadPerTaskExecutor": true,
		"java.lang.Thread.ofPlatform":                                    false,
		"java.util.concurrent.Executors.newFixedThreadPool":              false,
	} {
		m := Method{Name: "go", descriptor: "()V", code: []instruction{{code: invokestatic, op: opCall, member: member, descriptor: "()V"}}}
		if got := NewAhead([]*Class{{Name: "Shop", super: "java.lang.Object", Methods: []Method{m}}}).Opaque(); got != want {
			t.Errorf("%s: opaque %v", member, got)
		}
	}
}

func TestMuchCodeIsNotLookedAhead(t *testing.T) {
	p := programs(t, harbour, `void go() { HERE }`)[0]
	classes := p.classes
	for range mostFollowed/len(classes[0].Methods) + 1 {
		classes = append(classes, p.classes[0])
	}
	if a := NewAhead(classes); a != nil {
		t.Errorf("%d classes that are followed", len(a.classes))
	}
}

// Classes that are above themselves cost no more than others.
func TestClassesAboveThemselves(t *testing.T) {
	t.Skip("they are followed without end")
	m := Method{Name: "go", descriptor: "()V", code: []instruction{{code: newObject, member: "Hen"}}}
	a := NewAhead([]*Class{{Name: "Hen", super: "Egg", Methods: []Method{m}}, {Name: "Egg", super: "Hen"}})
	if _, ok := a.From(Place{"Hen", "go", 0, ""}); !ok {
		t.Error("no place")
	}
}
