package threaddump

import (
	"errors"
	"fmt"
	"strings"
	"testing"
)

// Warnings of servers are one thread each: its name, its id where the warning has it, how long, and the frames.
func TestWarningsAboutStuckThreads(t *testing.T) {
	const frames = "\tat java.lang.Thread.sleep(Native Method)\n\tat com.acme.ware.Shelf.put(Shelf.java:9)\n"
	for name, c := range map[string]struct {
		head, stack, thread, stuck string
		id                         int64 // 0: made of the name
	}{
		"Vert.x": {"12:00 WARN [x] (checker) Thread Thread[vert.x-eventloop-thread-8,5,main] has been blocked for " +
			"26065 ms, time limit is 2000 ms: io.vertx.core.VertxException: Thread blocked", frames,
			"vert.x-eventloop-thread-8", "has been blocked for 26065 ms", 0},
		"Vert.x 3": {"Thread Thread[vert.x-worker-thread-1,5,main]=Thread[vert.x-worker-thread-1,5,main] has " +
			"been blocked for 61001 ms, time limit is 60000 ms", frames,
			"vert.x-worker-thread-1", "has been blocked for 61001 ms", 0},
		"Vert.x on 21": {"Thread Thread[#33,vert.x, 1,5,main] has been blocked for 5311 ms, time limit is 2000 ms\n" +
			"io.vertx.core.VertxException: Thread blocked", frames, "vert.x, 1", "has been blocked for 5311 ms", 33},
		"Tomcat": {"WARNING [u] o.a.StuckThreadDetectionValve Thread [exec-1] (id=[22]) has been active for " +
			"[125,838] milliseconds (since [9/15/23]) to serve the same request for [/x] and may be stuck\n\t" +
			"java.lang.Throwable",
			frames, "exec-1", "has been active for 125,838 milliseconds", 22},
		"Tomcat 7": {`Thread "exec-1" (id=39) has been active for 12,345 milliseconds (since today) to serve`, frames,
			"exec-1", "has been active for 12,345 milliseconds", 39},
		"WebSphere": {`[x] W WSVR0605W: Thread "WebContainer : 0" (00000029) has been active for 612000 milliseconds ` +
			"and may be hung.", frames, "WebContainer : 0", "has been active for 612000 milliseconds", 0},
		"WebLogic": {"<Error> <[STUCK] ExecuteThread: '12' for queue: 'a (self-tuning)' has been busy for \"645\" " +
			"seconds working on the request \"x[\nGET /\n]\". Stack trace:", strings.ReplaceAll(frames, "at ", ""),
			"[STUCK] ExecuteThread: '12' for queue: 'a (self-tuning)'", "has been busy for 645 seconds", 0},
	} {
		log := "12:00 INFO it starts\n" + c.head + "\n" + c.stack + "12:01 ERROR it fails\n" +
			"java.lang.IllegalStateException: no\n\tat com.acme.ware.Door.open(Door.java:1)\n"
		th := byName(t, one(t, []byte(log)), c.thread)
		if th.Stuck != c.stuck || len(th.Stack) != 2 || th.Stack[1].Name() != "com.acme.ware.Shelf.put" ||
			c.id != 0 && th.ID != c.id || c.id == 0 != IsMadeID(th.ID) || th.State != TimedWaiting {
			t.Errorf("%s: %+v", name, th)
		}
	}
}

// A logger that writes JSON has a warning with its stack in one line.
func TestWarningsInJSON(t *testing.T) {
	const message = `{"level":"WARN","message":"Thread Thread[loop-1,5,main] has been blocked for 5012 ms, time limit is ` +
		`2000 ms","threadName":"checker",`
	for name, rest := range map[string]string{
		"objects": `"exception":{"refId":1,"frames":[{"class":"java.util.zip.Inflater","method":"inflate"},` +
			`{"class":"com.acme.Shelf","method":"put","line":9}],"causedBy":{"exception":{"frames":[{"class":"a.B",` +
			`"method":"c","line":1}]}}}}`,
		"text": `"stack_trace":"io.vertx.core.VertxException: Thread blocked\n\tat java.util.zip.Inflater.inflate` +
			`(Native Method)\n\tat com.acme.Shelf.put(Shelf.java:9)\n"}`,
	} {
		line := message + rest + "\n"
		dumps, err := Parse([]byte("{\"message\":\"it starts\"}\n" + line + line))
		if err != nil || len(dumps) != 2 {
			t.Errorf("%s: %d dumps, %v", name, len(dumps), err)
			continue
		}
		for _, d := range dumps {
			th := byName(t, d, "loop-1")
			if th.Stuck != "has been blocked for 5012 ms" || len(th.Stack) != 2 ||
				th.Stack[1].Name() != "com.acme.Shelf.put" || th.Stack[1].Line != 9 {
				t.Errorf("%s: %+v", name, th)
			}
		}
	}
}

// Each warning about the same thread is a separate dump, and one without a stack is not a dump.
func TestWarningsAreMoments(t *testing.T) {
	const warning = "Thread Thread[loop,5,main] has been blocked for 3000 ms, time limit is 2000 ms\n"
	dumps, err := Parse([]byte(warning + warning + "\tat a.B.c(B.java:1)\n" + warning + "\tat a.B.c(B.java:1)\n"))
	if err != nil || len(dumps) != 2 || len(dumps[0].Threads) != 1 || len(dumps[1].Threads) != 1 {
		t.Errorf("%d dumps, %v", len(dumps), err)
	}
	if _, err := Parse([]byte(warning)); !errors.Is(err, ErrNoDump) {
		t.Errorf("a warning without a stack: %v", err)
	}
}

// A watchdog lists the thread of the server twice in a report, and writes a report every few seconds.
func TestReportsOfAWatchdog(t *testing.T) {
	thread := func(name, id string) string {
		return "[07:51:12 ERROR]: Current Thread: " + name + "\n[07:51:12 ERROR]: \tPID: " + id +
			" | Suspended: false | Native: false | State: RUNNABLE\n[07:51:12 ERROR]: \tStack:\n" +
			"[07:51:12 ERROR]: \t\ta.B.c(B.java:1)\n[07:51:12 ERROR]: ------------------------------\n"
	}
	report := func(seconds string) string {
		return "[07:51:12 ERROR]: The server has not responded for " + seconds + " seconds! Creating thread dump\n" +
			"[07:51:12 ERROR]: Server thread dump:\n" + thread("Server thread", "49") +
			"[07:51:12 ERROR]: Entire Thread Dump:\n" + thread("Server thread", "49") + thread("io", "50")
	}
	dumps, err := Parse([]byte(report("10") + report("15")))
	if err != nil || len(dumps) != 2 {
		t.Fatalf("%d dumps, %v", len(dumps), err)
	}
	for i, want := range []string{"has not responded for 10 seconds", "has not responded for 15 seconds"} {
		d := dumps[i]
		if len(d.Threads) != 2 || d.Threads[0].Stuck != want || d.Threads[1].Stuck != "" || d.Threads[1].ID != 50 {
			t.Errorf("report %d: %+v", i, d)
		}
	}
}

// Cauldron writes more after the state, and a line with the time of the last tick several lines above the threads.
func TestReportOfCauldron(t *testing.T) {
	const log = "[Spigot Watchdog Thread/ERROR]: "
	thread := log + "Current Thread: Server thread\n" + log +
		"\tPID: 14 | Suspended: false | Native: true | State: RUNNABLE | Blocked Time: -1 | Blocked Count: 611\n" +
		log + "\tStack:\n" + log + "\t\ta.B.c(B.java:1)\n"
	text := "\n"
	for range 8 {
		text += log + "Be sure to include ALL relevant console errors\n"
	}
	stopped, slow := log+"The server has stopped responding!\n",
		log+"The server is going slow. Last server tick was 61204ms ago\n"
	for report, want := range map[string]string{
		stopped + text:               "has stopped responding",
		slow + text:                  "has completed no tick for 61204 ms",
		stopped + "\n" + slow + text: "has stopped responding (no tick for 61204 ms)",
		stopped + strings.Repeat("another line\n", reportLines): "",
		"": "",
	} {
		dumps, err := Parse([]byte(report + thread))
		if err != nil || len(dumps) != 1 || len(dumps[0].Threads) != 1 {
			t.Fatalf("%q: %d dumps, %v", report, len(dumps), err)
		}
		if th := dumps[0].Threads[0]; th.Stuck != want || th.State != Runnable {
			t.Errorf("%q: %q, %s, want %q", report, th.Stuck, th.State, want)
		}
	}
	if dumps, _ := Parse([]byte(slow + thread + slow + thread)); len(dumps) != 2 {
		t.Errorf("two reports: %d dumps", len(dumps))
	}
}

const (
	bareState = "   java.lang.Thread.State: BLOCKED (on object monitor)\n"
	bareFrame = "\tat com.acme.ware.Shelf.put(Shelf.java:9)\n"
	bareLock  = "\t- waiting to lock <0x00000000e0000490> (a com.acme.ware.Shelf)\n"
	bareStack = bareState + bareFrame + bareLock
)

// quoted is a text as the answer to a mail has it.
func quoted(text string) string {
	return "> " + strings.ReplaceAll(strings.TrimSuffix(text, "\n"), "\n", "\n> ") + "\n"
}

// stacksWithoutHeaders have so many threads.
var stacksWithoutHeaders = map[string]struct {
	text    string
	threads int
}{
	"with its state":  {"It hangs:\n" + bareStack, 1},
	"by its lock":     {"It hangs:\n" + bareFrame + bareLock + bareFrame, 1},
	"two":             {bareStack + "\n" + bareStack, 2},
	"two, no line":    {bareStack + bareStack, 2},
	"a state alone":   {bareStack + "\"ware-2\"\n" + strings.Replace(bareState, "BLOCKED", "WAITING", 1) + "\n", 1},
	"and no line":     {bareStack + strings.Replace(bareState, "BLOCKED", "WAITING", 1) + "\n", 1},
	"with CR LF":      {strings.ReplaceAll(bareStack, "\n", "\r\n"), 1},
	"quoted":          {quoted("It hangs:\n" + bareStack + "\n" + bareStack), 2},
	"quoted twice":    {"Why?\n" + quoted(quoted(bareFrame+bareLock)) + "Because.\n", 1},
	"an exception":    {"java.lang.IllegalStateException: no\n" + bareFrame + bareFrame, 0},
	"talk of a state": {"it is in java.lang.Thread.State: BLOCKED\n" + bareFrame, 0},
	"Android's":       {"suspend all histogram:\n" + bareStack, 0},
}

// A stack without its header is known by its state, or by a lock under a frame; an exception's is not.
func TestStacksWithoutHeaders(t *testing.T) {
	for name, c := range stacksWithoutHeaders {
		dumps, err := Parse([]byte(c.text))
		if c.threads == 0 {
			if !errors.Is(err, ErrNoDump) {
				t.Errorf("%s: %v", name, err)
			}
			continue
		}
		if err != nil || len(dumps) != 1 || len(dumps[0].Threads) != c.threads || !dumps[0].Fragment {
			t.Errorf("%s: %d dumps, %v", name, len(dumps), err)
			continue
		}
		for _, th := range dumps[0].Threads {
			if th.State != Blocked || th.Stack[0].Name() != "com.acme.ware.Shelf.put" ||
				th.Locks[0].Op != WaitingToLock {
				t.Errorf("%s: %+v", name, th)
			}
		}
	}
}

// The lines of a deadlock report show what it is where their headings are missing.
func TestADeadlockSectionWithoutHeadings(t *testing.T) {
	members := "\"ware-1\":\n  waiting to lock monitor 0x01 (object 0x0e, a com.acme.ware.Shelf),\n" +
		"  which is held by \"ware-2\"\n\"ware-2\":\n  waiting to lock monitor 0x02 (object 0x0f, " +
		"a com.acme.ware.Shelf),\n  which is held by \"ware-1\"\n"
	stacks := "\"ware-1\":\n\tat com.acme.ware.Shelf.put(Shelf.java:9)\n" +
		"\t- waiting to lock <0x0e> (a com.acme.ware.Shelf)\n" +
		"\t- locked <0x0f> (a com.acme.ware.Shelf)\n\"ware-2\":\n\tat com.acme.ware.Shelf.put(Shelf.java:9)\n" +
		"\t- waiting to lock <0x0f> (a com.acme.ware.Shelf)\n\t- locked <0x0e> (a com.acme.ware.Shelf)\n"
	for name, c := range map[string]struct {
		text    string
		members int
		frames  int
	}{
		"members":            {"look:\n" + members, 2, 0},
		"stacks":             {"look:\n" + stacks, 0, 1},
		"other words":        {"Found one Java-level deadlock:\n" + members + "\nand these:\n\n" + stacks, 2, 1},
		"heading of stacks":  {stacksText + " listed above:\n" + stacks, 0, 1},
		"none between them ": {members + stacks, 2, 1},
	} {
		d := one(t, []byte(c.text))
		n := 0
		for _, dl := range d.Deadlocks {
			n += len(dl.Members)
		}
		if len(d.Threads) != 2 || n != c.members {
			t.Fatalf("%s: %d threads, %d members", name, len(d.Threads), n)
		}
		for _, th := range d.Threads {
			if th.State != Blocked || len(th.Stack) != c.frames || th.Locks[0].Op != WaitingToLock {
				t.Errorf("%s: %+v", name, th)
			}
		}
	}
	for _, other := range []string{
		"{\n\"threads\":\n[1]\n}\n", "{\n  \"threads\":\n  [1]\n}\n", stacksText + " above\n",
	} {
		if _, err := Parse([]byte(other)); !errors.Is(err, ErrNoDump) {
			t.Errorf("%q: %v", other, err)
		}
	}
}

// Headers that the edge of a screen cut have what is before it.
func TestCutHeaders(t *testing.T) {
	header := func(id string) string {
		return `"ware keeper-` + id + `" #2` + id + ` [400` + id + `] daemon prio=5 os_prio=0 cpu=11.25ms elapsed=93.11s tid=0x00007f4c2c03` +
			id + `000 nid=400` + id + ` waiting for monitor entry  [0x00007f4c0d02d000]`
	}
	for _, width := range []int{62, 70, 80, 90, 100, 104, 110, 120} {
		text := "Full thread dump X VM (21.0.4 mixed mode):\n\n"
		for _, id := range []string{"1", "2", "3"} {
			text += header(id)[:width] + "\n   java.lang.Thread.State: BLOCKED (on object monitor)\n" +
				"\tat com.acme.ware.Shelf.put(Shelf.java:9)\n\n"
		}
		d := one(t, []byte(text+"JNI global refs: 1, weak refs: 0\n"))
		if len(d.Threads) != 3 || d.Lost > 0 || len(d.Problems) > 1 {
			t.Fatalf("cut at %d: %d threads, %+v", width, len(d.Threads), d.Problems)
		}
		for i, th := range d.Threads {
			if th.ID != int64(21+i) || th.State != Blocked || len(th.Stack) != 1 ||
				!strings.HasPrefix(th.Name, "ware keeper-") {
				t.Errorf("cut at %d: %+v", width, th)
			}
		}
	}
}

// JConsole has no ids: the owner is found by its name.
func TestJConsole(t *testing.T) {
	d := one(t, []byte("Name: ware-1\nState: BLOCKED on com.acme.ware.Shelf@1b2c owned by: ware-2\n"+
		"Total blocked: 1  Total waited: 1\n\nStack trace: \ncom.acme.ware.Shelf.put(Shelf.java:9)\n"+
		"   - locked com.acme.ware.Door@2c3d\n\n\nName: ware-2\nState: RUNNABLE\nTotal blocked: 0  Total waited: 0\n\n"+
		"Stack trace: \ncom.acme.ware.Shelf.get(Shelf.java:12)\n   - locked com.acme.ware.Shelf@1b2c\n"))
	waiter, owner := byName(t, d, "ware-1"), byName(t, d, "ware-2")
	if waiter.State != Blocked || waiter.Locks[0].Op != WaitingToLock || waiter.Locks[0].Owner != owner.ID ||
		waiter.Locks[1].Op != Locked || owner.Locks[0].Address != waiter.Locks[0].Address {
		t.Errorf("%+v", d.Threads)
	}
	if _, err := Parse([]byte("Name: depot\nKind: Service\n")); !errors.Is(err, ErrNoDump) {
		t.Errorf("other text with names: %v", err)
	}
}

// Parts of a dump_to_file lack its head, and are no whole dump.
func TestPartsOfDumpToFile(t *testing.T) {
	for name, text := range map[string]string{
		"21": "#19 \"w\" virtual\n      java.base/java.lang.Thread.sleep(Thread.java:509)\n\n",
		"25": "look:\n#19 \"w\" virtual BLOCKED 2026-11-20T15:05:46.68Z\n" +
			"    at java.base/java.lang.Thread.sleep(Thread.java:562)\n",
	} {
		d := one(t, []byte(text))
		if len(d.Threads) != 1 || !d.Fragment || !d.Threads[0].Virtual || len(d.Threads[0].Stack) != 1 {
			t.Errorf("%s: %+v", name, d)
		}
	}
	if _, err := Parse([]byte("#19 \"a title\"\nsays nothing\n")); !errors.Is(err, ErrNoDump) {
		t.Errorf("a heading: %v", err)
	}
}

// The threads of the JVM's own end a dump of JDK 5; in a newer one more must follow.
func TestEndOfADumpOfJDK5(t *testing.T) {
	const threads = "\n\n\"main\" prio=5 tid=0x0100b520 nid=0x855 runnable [0xb0d0b000..0xb0d0bd90]\n" +
		"\tat a.B.c(B.java:1)\n\n\"VM Thread\" prio=9 tid=0x01006bf0 nid=0x815 runnable \n"
	for version, cut := range map[string]bool{"1.5.0_13-b05": false, "1.4.2_19-b04": false, "10.0-b22": true} {
		d := one(t, []byte("Full thread dump Java HotSpot(TM) Client VM ("+version+" mixed mode):"+threads))
		if d.Cut != cut || len(d.Threads) != 2 {
			t.Errorf("%s: cut is %v, %d threads", version, d.Cut, len(d.Threads))
		}
	}
}

// Warnings about different threads are one dump, with the last stack of each; those about one thread are a series.
func TestWarningsAboutSeveralThreads(t *testing.T) {
	for written, want := range map[string]string{"ab": "ab", "aba": "a ba", "aaabb": "a ab ab", "abcb": "b acb"} {
		log := ""
		for i, name := range written {
			log += fmt.Sprintf("12:00:%02d WARNING: Thread \"exec-%c\" (id=%d) has been active for %d,000 "+
				"milliseconds\n\tat java.lang.Thread.sleep(Native Method)\n"+
				"\tat a.B.c(B.java:%d)\n12:01 INFO on it goes\n", 10*i, name,
				name, i+1, i+1)
		}
		dumps, err := Parse([]byte(log))
		got := make([]string, len(dumps))
		for i, d := range dumps {
			for _, th := range d.Threads {
				got[i] += strings.TrimPrefix(th.Name, "exec-")
				if i == len(dumps)-1 && th.Stack[1].Line != strings.LastIndex(written, got[i][len(got[i])-1:])+1 {
					t.Errorf("%s: the last stack of %s is another one than %v", written, th.Name, th.Stack[1])
				}
			}
		}
		if all := strings.Join(got, " "); err != nil || all != want {
			t.Errorf("%s: %s, want %s (%v)", written, all, want, err)
		}
	}
}

// Reports about several pools are one dump, until one of them is reported again.
func TestReportsAboutPools(t *testing.T) {
	report := func(pool string) string {
		return "12:00 WARN ThreadPoolAsynchronousRunner -- APPARENT DEADLOCK!!! Complete Status:\n" +
			"\tManaged Threads: 1\nPool thread stack traces:\n\tThread[" + pool + "-HelperThread-#0,5,main]\n" +
			"\t\ta.B.c(B.java:1)\n\t\ta.PoolThread.run(P.java:1)\n\tThread[" + pool + "-HelperThread-#1,5,main]\n" +
			"\t\tjava.lang.Object.wait(Native Method)\n\t\ta.PoolThread.run(P.java:2)\n12:01 INFO on it goes\n"
	}
	dumps, err := Parse([]byte(report("ware") + report("mail") + report("ware")))
	if err != nil || len(dumps) != 2 || len(dumps[0].Threads) != 4 || len(dumps[1].Threads) != 2 {
		t.Fatalf("%d dumps, %v", len(dumps), err)
	}
	busy, idle := dumps[1].Threads[0].Stuck, dumps[1].Threads[1].Stuck
	if !strings.Contains(busy, "APPARENT DEADLOCK") || idle != "" {
		t.Errorf("c3p0's claim: %q of a thread in a task, %q of an idle one", busy, idle)
	}
}
