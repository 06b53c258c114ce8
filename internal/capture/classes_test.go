package capture

import (
	"archive/zip"
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"jstall/analysis"
	"jstall/internal/classfile"
	"jstall/internal/jvm"
	"jstall/internal/jvmtest"
	"jstall/internal/kernel"
	"jstall/threaddump"
)

const sourceOfDesk = `package inn;
import java.util.*;
class Desk {
	final Map<Integer, Guest> guests = new HashMap<>();
	void enter(Guest g) { guests.put(g.id, g); }
	void find(java.util.concurrent.atomic.AtomicBoolean free) {
		while (!free.compareAndSet(true, false)) ;
	}
	static class Guest {
		int id;
		Bag bag;
	}
	static class Bag {
		final Deque<String> things = new ArrayDeque<>();
		String unpack(java.util.concurrent.CountDownLatch done) {
			done.hashCode();
			done.countDown(); return things.poll();
		}
	}
}
`

// deskTree is /proc of process 7, with a class path of a folder and a jar in its working
// directory: the folder has Desk alone, the jar what it uses.
func deskTree(t *testing.T, places string) *classPath {
	t.Helper()
	made := jvmtest.Compile(t, "Desk.java", sourceOfDesk)
	root := t.TempDir()
	cwd := filepath.Join(root, "7", "cwd")
	if err := os.MkdirAll(filepath.Join(cwd, "classes", "inn"), 0o755); err != nil {
		t.Fatal(err)
	}
	var jar bytes.Buffer
	z := zip.NewWriter(&jar)
	for _, name := range []string{"Desk", "Desk$Guest", "Desk$Bag"} {
		text, err := os.ReadFile(filepath.Join(made, "inn", name+".class"))
		if err != nil {
			t.Fatal(err)
		}
		if name == "Desk" {
			err = os.WriteFile(filepath.Join(cwd, "classes", "inn", "Desk.class"), text, 0o644)
		} else if f, made := z.Create("BOOT-INF/classes/inn/" + name + ".class"); made == nil {
			_, err = f.Write(text)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if f, err := z.Create("META-INF/MANIFEST.MF"); err != nil {
		t.Fatal(err)
	} else if _, err := f.Write([]byte("Main-Class: org.example.Launcher\r\nStart-Class: inn.Desk\r\n")); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(cwd, "inn.jar"), jar.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
	l := &Live{Kernel: kernel.New(root), Process: jvm.Process{PID: 7}}
	return l.classPath(places)
}

func TestClassesOfAFolderAndAJar(t *testing.T) {
	p := deskTree(t, "classes:inn.jar")
	defer p.close()
	var text bytes.Buffer
	p.writeLoop(&text, "inn.Desk.find:7")
	p.writeLoop(&text, "inn.Desk.enter:5") // no loop
	p.writeLoop(&text, "inn.Gone.find:7")
	p.writeSignals(&text, []string{"inn.Desk$Bag.unpack:16>sleep", "inn.Desk$Bag.unpack:17>poll", "inn.Gone.unpack:16>sleep", "unpack", "unpack:x>y"})
	p.writeAll(&text, []string{"inn.Desk"}, nil)
	const want = "loop inn.Desk.find:7 java.util.concurrent.atomic.AtomicBoolean.compareAndSet\nlooks inn.Desk.enter:5\ngives inn.Desk$Bag.unpack:16>sleep latch\n"
	if !strings.HasPrefix(text.String(), want+"class inn.Desk ") || strings.Contains(text.String(), "others") {
		t.Errorf("got\n%s", text.String())
	}
	b := parseClasses(text.Bytes())
	if b.Read != 3 || b.Others || b.LetsGo || !slices.Contains(b.Calls, "java.util.Map.put") || !slices.Contains(b.Calls, "java.util.Deque.poll") {
		t.Errorf("%+v", b)
	}
	if got := fmt.Sprint(b.Gives); got != "map[inn.Desk$Bag.unpack:16>sleep:[latch]]" {
		t.Error(got)
	}
	if l, ok := b.Loops["inn.Desk.find:7"]; !ok || l.Counts || l.Computes || len(l.Calls) != 1 || !b.Looks["inn.Desk.enter:5"] {
		t.Errorf("%+v %+v", b.Loops, b.Looks)
	}
}

// What cannot be read may do anything.
func TestClassesThatAreNotThere(t *testing.T) {
	for places, others := range map[string]bool{
		"classes:inn.jar":          false,
		"classes":                  true,
		"classes:inn.jar:gone.jar": true,
		"classes:inn.jar:" + strings.Repeat("x", classPathCut): true,
		"classes:inn.jar" + strings.Repeat(":x", mostPlaces):   true,
	} {
		p := deskTree(t, places)
		var text bytes.Buffer
		p.writeAll(&text, []string{"inn.Desk"}, nil)
		p.close()
		if b := parseClasses(text.Bytes()); b.Others != others {
			t.Errorf("%.30s: %+v", places, b)
		}
	}
}

func TestTooLargeJarsAreLeftOut(t *testing.T) {
	p := deskTree(t, "inn.jar")
	p.room = 100
	var text bytes.Buffer
	p.writeAll(&text, []string{"inn.Desk"}, nil)
	p.close()
	if b := parseClasses(text.Bytes()); !b.Others || b.Read != 0 {
		t.Errorf("%+v", b)
	}
}

func TestTheMainClassOfAJar(t *testing.T) {
	p := deskTree(t, "inn.jar")
	defer p.close()
	for name, want := range map[string]string{"inn.jar": "inn.Desk", "inn.Desk": "inn.Desk", "inn/inn.Desk": "inn.Desk"} {
		if got := p.mainClass(name); got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
}

// What a loop does past the loops within it is told beside what it does in all.
func TestTheWayRoundALoopSurvivesItsForm(t *testing.T) {
	made := jvmtest.Compile(t, "Sheet.java", `class Sheet {
	volatile long edition; long[] all = new long[9];
	long read() { while (true) {
		long begun = edition;
		if (begun % 2 == 0) { long sum = 0; for (long n : all) sum += n * 3; return sum; }
		if (begun < 0) { for (int i = 0; i < 9; i++) all[i] = 0; }
		Thread.yield();
	} }
}`)
	root := t.TempDir()
	if err := os.MkdirAll(filepath.Join(root, "7", "cwd"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(filepath.Join(made, "Sheet.class"), filepath.Join(root, "7", "cwd", "Sheet.class")); err != nil {
		t.Fatal(err)
	}
	p := (&Live{Kernel: kernel.New(root), Process: jvm.Process{PID: 7}}).classPath(".")
	defer p.close()
	var text bytes.Buffer
	p.writeLoop(&text, "Sheet.read:7")
	b := parseClasses(text.Bytes())
	loop, round := b.Loops["Sheet.read:7"], b.Rounds["Sheet.read:7"]
	if !loop.Computes || round.Computes || fmt.Sprint(round.Calls) != "[java.lang.Thread.yield]" {
		t.Errorf("%s: %+v, %+v", text.String(), loop, round)
	}
}

func TestWhichClassesAreWorthReading(t *testing.T) {
	at := func(id int64, state threaddump.State, frames ...string) *threaddump.Thread {
		th := &threaddump.Thread{ID: id, Name: "t", State: state}
		for _, f := range frames {
			dot := strings.LastIndexByte(f, '.')
			th.Stack = append(th.Stack, &threaddump.Frame{Class: f[:dot], Method: f[dot+1:], Line: 7})
		}
		return th
	}
	look := func(old int64, threads ...*threaddump.Thread) analysis.Observation {
		return analysis.Observation{Dump: &threaddump.Dump{Threads: threads}, Counters: &analysis.Counters{OldUsed: analysis.Opt[int64](threaddump.Known(old))}}
	}
	rests := at(11, threaddump.Waiting, "java.lang.Thread.sleep", "inn.Desk.enter", "inn.Desk$$Lambda/0x12.run")
	ticks := at(12, threaddump.Runnable, "inn.Clock.tick", "inn.Clock.run")
	adds := at(13, threaddump.Runnable, "inn.Bill.add")
	finds := at(13, threaddump.Runnable, "java.util.HashMap.get", "inn.Desk.find")
	for _, test := range []struct {
		name string
		old  int64
		more int
		want string
	}{
		{"the heap grows", 9, 0, "[inn.Clock.run:7 inn.Clock.tick:7 inn.Bill.add:7] [inn.Bill inn.Clock inn.Desk]"},
		{"the heap does not grow", 5, 0, "[inn.Clock.run:7 inn.Clock.tick:7 inn.Bill.add:7] []"},
		{"too many threads", 9, mostThreads, "[inn.Clock.run:7 inn.Clock.tick:7 inn.Bill.add:7] []"},
	} {
		var c classesSeen
		c.see(look(5, append(make([]*threaddump.Thread, 0, test.more+3), rests, ticks, adds)...))
		threads := []*threaddump.Thread{rests, ticks, finds}
		for i := range test.more {
			threads = append(threads, at(int64(100+i), threaddump.Waiting, "inn.Guest.rest"))
		}
		c.see(look(test.old, threads...))
		if w := c.wanted(); fmt.Sprint(w.Loops, " ", w.From) != test.want {
			t.Errorf("%s: %v %v, want %s", test.name, w.Loops, w.From, test.want)
		} else if w.Places != nil {
			t.Errorf("%s: places that nobody waits at: %q", test.name, w.Places)
		}
	}
}

func TestPlacesAreRead(t *testing.T) {
	for text, want := range map[string]string{
		"inn.Desk.find:7":             "{inn.Desk find 7 } true",
		"inn.Desk.find:7>sleep":       "{inn.Desk find 7 sleep} true",
		"inn.Desk.<init>:7>sleep":     "{inn.Desk <init> 7 sleep} true",
		"inn.Desk$Bag.close:9><init>": "{inn.Desk$Bag close 9 <init>} true",
		"find:7":                      "{  0 } false", "inn.Desk.find:": "{  0 } false", "": "{  0 } false",
	} {
		place, ok := parsePlace(text)
		if got := fmt.Sprint(place, ok); got != want {
			t.Errorf("%q: %s, want %s", text, got, want)
		}
	}
}

// While a thread waits for others, the places at which others pause may lead to what it waits for.
func TestPlacesOfWhoMayGiveASignal(t *testing.T) {
	stand := func(id int64, state threaddump.State, frames ...string) *threaddump.Thread {
		th := &threaddump.Thread{ID: id, Name: "t", State: state}
		for i, f := range frames {
			dot := strings.LastIndexByte(f, '.')
			th.Stack = append(th.Stack, &threaddump.Frame{Class: f[:dot], Method: f[dot+1:], Line: i})
		}
		return th
	}
	look := func(threads ...*threaddump.Thread) string {
		var c classesSeen
		c.see(analysis.Observation{Dump: &threaddump.Dump{Threads: []*threaddump.Thread{stand(12, threaddump.TimedWaiting, "java.lang.Thread.sleep", "inn.Bag.fill")}}})
		c.see(analysis.Observation{Dump: &threaddump.Dump{Threads: threads}})
		return fmt.Sprint(c.wanted().Places)
	}
	waits := stand(11, threaddump.Waiting, "java.lang.Object.wait", "inn.Desk.close")
	pauses := stand(12, threaddump.TimedWaiting, "java.lang.Thread.sleep", "inn.Bag.unpack", "inn.Guest.run")
	timer := stand(13, threaddump.TimedWaiting, "java.lang.Object.wait", "java.util.TimerThread.run", "inn.Guest.run")
	if got := look(waits, pauses, timer, pauses); got != "[inn.Bag.unpack:1>sleep inn.Guest.run:2>unpack inn.Desk.close:1>wait inn.Guest.run:2>run]" {
		t.Error(got)
	}
	if got := look(pauses); got != "[]" {
		t.Errorf("%s, though nobody waits", got)
	}
	limited := stand(14, threaddump.TimedWaiting, "java.lang.Object.wait", "inn.Desk.close")
	if got := look(pauses, limited); got != "[inn.Bag.unpack:1>sleep inn.Desk.close:1>wait inn.Guest.run:2>unpack]" {
		t.Errorf("%s, where one waits for so long", got)
	}
}

// What a class inherits from one that was not read is not known by having read the class.
func TestInheritedRemovalsAreKept(t *testing.T) {
	made := jvmtest.Compile(t, "Book.java", `import java.util.*;
class Book extends HashMap<String, Object> {
	void enter(String k) { put(k, new Object()); }
	static void drop(Book b, String k) { b.remove(k); b.enter(k); }
}`)
	text, err := os.ReadFile(filepath.Join(made, "Book.class"))
	if err != nil {
		t.Fatal(err)
	}
	c, err := classfile.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	writeClasses(&out, []*classfile.Class{c})
	if calls := out.String(); !strings.Contains(calls, "Book.remove") || strings.Contains(calls, "Book.enter") {
		t.Error(calls)
	}
}

// folderOf is a class path of one folder, with the classes of a source text.
func folderOf(t *testing.T, source string) *classPath {
	t.Helper()
	made := jvmtest.Compile(t, "Mill.java", source)
	root := t.TempDir()
	if err := os.CopyFS(filepath.Join(root, "7", "cwd", "classes"), os.DirFS(made)); err != nil {
		t.Fatal(err)
	}
	l := &Live{Kernel: kernel.New(root), Process: jvm.Process{PID: 7}}
	p := l.classPath("classes")
	p.until = p.until.Add(time.Minute) // however busy the machine is
	return p
}

// lineOf is where a text says something first.
func lineOf(t *testing.T, source, text string) int {
	t.Helper()
	before, _, found := strings.Cut(source, text)
	if !found {
		t.Fatalf("nothing of %q", text)
	}
	return 1 + strings.Count(before, "\n")
}

const sourceOfMill = `import java.util.*;
import java.util.concurrent.*;
class Mill {
	final List<Object> sacks = new ArrayList<>();
	CountDownLatch latch;
	ExecutorService pool;
	ScheduledExecutorService timer;
	Store store;
	void open() throws Exception {
		timer.schedule(() -> latch.countDown(), 9, TimeUnit.SECONDS);
		pool.submit(() -> { synchronized (this) { notifyAll(); } });
		Thread.sleep(1); // opens
	}
	void grind() throws Exception {
		store.take();
		Thread.sleep(2); // grinds
		store.give();
		sacks.add(new byte[9]);
		fill();
	}
	void fill() throws Exception {
		List<Object> own = new ArrayList<>();
		Thread.sleep(3); // fills
		own.addAll(sacks);
	}
	void rest() throws Exception {
		Thread.sleep(4); // rests
	}
	static class Store {
		void take() throws Exception { Thread.sleep(5); }
		synchronized void give() { notify(); }
	}
}
`

// aheadOf is what is written of the places at which threads of the mill stand.
func aheadOf(t *testing.T, source string, grows bool, more ...string) (text string, places map[string]string) {
	t.Helper()
	p := folderOf(t, source)
	defer p.close()
	places = map[string]string{}
	var stands []string
	for _, method := range []string{"open", "grind", "fill", "rest"} {
		places[method] = fmt.Sprintf("Mill.%s:%d>sleep", method, lineOf(t, source, "// "+method+"s"))
		stands = append(stands, places[method])
	}
	stands = append(stands, fmt.Sprintf("Mill$Store.take:%d>sleep", lineOf(t, source, "sleep(5)")))
	var out bytes.Buffer
	p.writeAhead(&out, append(stands, more...), []string{"Mill"}, grows)
	return out.String(), places
}

func TestWhatLiesAheadIsWrittenAndRead(t *testing.T) {
	text, at := aheadOf(t, sourceOfMill, false)
	b := parseClasses([]byte(text))
	for method, want := range map[string]string{"open": "[]", "grind": "[notify notify@Mill$Store]", "fill": "[]", "rest": "[]"} {
		words, known := b.Ahead[at[method]]
		if got := fmt.Sprint(words); got != want || !known {
			t.Errorf("ahead of %s: %s, %v", method, got, known)
		}
	}
	got := fmt.Sprint(b.Later, b.Queued, b.Closed, b.Taken, b.Hands, b.Brings)
	want := fmt.Sprintf("[latch] [notify notify@Mill] true map[%s:[Mill$Store.take]] map[%s:true] []", at["grind"], at["open"])
	if got != want {
		t.Errorf("%s, want %s; text\n%s", got, want, text)
	}
}

// What may get into a queue that threads take from, by whatever name it is called.
func TestWhatMayGetIntoAQueue(t *testing.T) {
	for member, want := range map[string]string{
		"java.util.concurrent.BlockingQueue.put":               "[item]",
		"java.util.concurrent.SynchronousQueue.offer":          "[item]",
		"java.util.concurrent.DelayQueue.add":                  "[item]",
		"java.util.concurrent.LinkedBlockingDeque.addLast":     "[item]",
		"java.util.concurrent.LinkedTransferQueue.tryTransfer": "[item]",
		"java.util.concurrent.BlockingQueue.drainTo":           "[item]",
		"java.util.concurrent.BlockingQueue.take":              "[]",
		"java.util.Queue.offer":                                "[item]",
		"java.util.Collection.add":                             "[item]",
		"java.util.Collections.addAll":                         "[item]",
		"java.util.Collections.sort":                           "[]",
		"java.util.List.add":                                   "[]",
		"java.util.ArrayDeque.add":                             "[]",
	} {
		words := endings([]classfile.Call{{Member: member}}, func(classfile.Call) bool { return false }, nil)
		if got := fmt.Sprint(words); got != want {
			t.Errorf("%s: %s, want %s", member, got, want)
		}
	}
}

// Some calls end waits of more than one kind, or of some threads only.
func TestWhatElseEndsWaits(t *testing.T) {
	for member, want := range map[string]string{
		"java.util.concurrent.ExecutorService.shutdownNow":                    "[task]",
		"java.util.concurrent.ScheduledExecutorService.shutdownNow":           "[task]",
		"java.util.concurrent.locks.AbstractQueuedSynchronizer.releaseShared": "[permit unpark]",
		"java.util.concurrent.locks.AbstractQueuedSynchronizer.acquire":       "[]",
		"java.lang.Thread.interrupt":                                          "[any]",
	} {
		words := endings([]classfile.Call{{Member: member}}, func(classfile.Call) bool { return false }, nil)
		if got := fmt.Sprint(words); got != want {
			t.Errorf("%s: %s, want %s", member, got, want)
		}
	}
}

// Who signals in a class in which nobody waits may wake those of any.
func TestWhomANotifyMayWake(t *testing.T) {
	for in, want := range map[string]string{
		"shop.Door": "[notify notify@shop.Door]",
		"shop.Bell": "[notify notify@shop.Bell notify@shop.Door notify@shop.Gate]",
	} {
		words := endings([]classfile.Call{{Member: "java.lang.Object.notifyAll", In: in}}, func(classfile.Call) bool { return false }, []string{"shop.Door", "shop.Gate"})
		if got := fmt.Sprint(words); got != want {
			t.Errorf("in %s: %s, want %s", in, got, want)
		}
	}
}

// Only where the heap grows it matters who keeps things; what goes with the method is not kept.
func TestWhoKeepsThings(t *testing.T) {
	text, at := aheadOf(t, sourceOfMill, true)
	b := parseClasses([]byte(text))
	for method, want := range map[string]bool{"open": false, "grind": true, "fill": false, "rest": false} {
		if got := slices.Contains(b.Ahead[at[method]], "keeps"); got != want {
			t.Errorf("%s keeps: %v", method, got)
		}
	}
	if slices.Contains(slices.Concat(b.Later, b.Queued), "keeps") {
		t.Errorf("later %q, queued %q", b.Later, b.Queued)
	}
	handed := strings.Replace(sourceOfMill, "() -> latch.countDown()", `() -> sacks.add("k")`, 1)
	text, _ = aheadOf(t, handed, true)
	if b := parseClasses([]byte(text)); !slices.Contains(b.Later, "keeps") {
		t.Errorf("later %q", b.Later)
	}
}

// Of a program that may call more than its classes show nothing is said.
func TestNothingAheadOfWhatIsNotShown(t *testing.T) {
	if text, _ := aheadOf(t, strings.Replace(sourceOfMill, "fill();", `Class.forName("Mill");`, 1), false); text != "" {
		t.Errorf("opaque:\n%s", text)
	}
	for _, place := range []string{"Gone.run:7>sleep", "sleep"} {
		if text, _ := aheadOf(t, sourceOfMill, false, place); text != "" {
			t.Errorf("%s:\n%s", place, text)
		}
	}
	b := parseClasses(nil)
	if b.Closed || len(b.Ahead) > 0 {
		t.Errorf("%+v", b)
	}
}

func TestKindsOfPlacesAreWrittenAndRead(t *testing.T) {
	const source = `import java.util.concurrent.*;
class Mill {
	BlockingQueue<Runnable> queue;
	CountDownLatch latch;
	java.io.OutputStream out;
	java.io.InputStream in;
	void gate() throws Exception {
		latch.await(); // gates
	}
	void serve() throws Exception {
		while (true) {
			queue.take();
			Thread.sleep(1); // serves
		}
	}
	void ask() throws Exception {
		out.write(1);
		in.read(); // asks
	}
}
`
	p := folderOf(t, source)
	defer p.close()
	at := map[string]string{}
	for _, place := range []string{"gate await", "serve sleep", "ask read"} {
		method, callee, _ := strings.Cut(place, " ")
		at[method] = fmt.Sprintf("Mill.%s:%d>%s", method, lineOf(t, source, "// "+method+"s"), callee)
	}
	var text bytes.Buffer
	p.writePlaces(&text, []string{at["gate"], at["serve"], at["ask"], "Gone.run:7>sleep", "sleep"})
	b := parseClasses(text.Bytes())
	got := fmt.Sprint(b.Gates, b.Serves, b.Asks, b.Last[at["gate"]], b.Last[at["serve"]])
	if want := fmt.Sprintf("map[%s:true] map[%s:true] map[%s:true] true false", at["gate"], at["serve"], at["ask"]); got != want {
		t.Errorf("%s, want %s", got, want)
	}
}
