package threaddump

import (
	"strings"
	"testing"
	"time"
)

// Every form is recognised by its own sample, and by no other form before it.
func TestEveryFormHasASample(t *testing.T) {
	for i, f := range forms {
		if f.sample == "" || f.source == "" || f.name == "" {
			t.Errorf("form %d has gaps: %+v", i, f)
		}
		if got := formAnchor([]byte(f.sample), signsIn([]byte(f.sample))); got != firstForm+anchor(i) {
			t.Errorf("%s: its sample is anchor %d, not %d", f.name, got, firstForm+anchor(i))
		}
	}
}

// blocked are dumps of two threads: "ware-1" #12 waits for a monitor of "ware-2" #13, which
// reads from a socket.
var blocked = map[string]string{
	"ThreadInfo": `"ware-1" prio=5 Id=12 BLOCKED on com.acme.ware.Shelf@1b2c6ec2 owned by "ware-2" Id=13
	at app//com.acme.ware.Shelf.put(Shelf.java:9)
	-  blocked on com.acme.ware.Shelf@1b2c6ec2
	at java.base@17.0.15/java.lang.Thread.run(Thread.java:840)

"ware-2" daemon prio=5 Id=13 RUNNABLE (in native)
	at java.base@17.0.15/sun.nio.ch.SocketDispatcher.read0(Native Method)
	at app//com.acme.ware.Shelf.load(Shelf.java:20)
	-  locked com.acme.ware.Shelf@1b2c6ec2
	...

	Number of locked synchronizers = 1
	- java.util.concurrent.locks.ReentrantLock$NonfairSync@311945cc

`,
	"a logger's prefix": `2026-11-20 15:00:18 WARN [watch] "ware-1" prio=5 Id=12 BLOCKED on com.acme.ware.Shelf@1b2c6ec2 owned by "ware-2" Id=13
2026-11-20 15:00:18 WARN [watch] 	at com.acme.ware.Shelf.put(Shelf.java:9)
2026-11-20 15:00:18 WARN [watch] 	-  blocked on com.acme.ware.Shelf@1b2c6ec2
2026-11-20 15:00:18 WARN [watch] "ware-2" daemon prio=5 Id=13 RUNNABLE (in native)
2026-11-20 15:00:18 WARN [watch] 	at sun.nio.ch.SocketDispatcher.read0(Native Method)
2026-11-20 15:00:18 WARN [watch] 	at com.acme.ware.Shelf.load(Shelf.java:20)
2026-11-20 15:00:18 WARN [watch] 	-  locked com.acme.ware.Shelf@1b2c6ec2
`,
	"Tomcat": "2026-11-27 23:39:21.629\r\n" +
		"Full thread dump OpenJDK 64-Bit Server VM (17.0.15+6 mixed mode, sharing):\r\n\r\n" +
		"\"ware-1\" Id=12 cpu=232245 ns usr=0 ns blocked 1 for -1 ms waited 1 for -1 ms\r\n" +
		"   java.lang.Thread.State: BLOCKED\r\n" +
		"\tat app//com.acme.ware.Shelf.put(Shelf.java:9)\r\n" +
		"\t- waiting on (a com.acme.ware.Shelf@1b2c6ec2) owned by ware-2 Id=13\r\n\r\n" +
		"\"ware-2\" Id=13 cpu=149972 ns usr=0 ns blocked 1 for -1 ms waited 1 for -1 ms (running in native)\r\n" +
		"   java.lang.Thread.State: RUNNABLE\r\n" +
		"\tat java.base@17.0.15/sun.nio.ch.SocketDispatcher.read0(Native Method)\r\n" +
		"\tat app//com.acme.ware.Shelf.load(Shelf.java:20)\r\n" +
		"\t- locked (a com.acme.ware.Shelf@1b2c6ec2) index 1 frame " +
		"app//com.acme.ware.Shelf.load(Shelf.java:20)\r\n\r\n" +
		"Deadlock found between the following threads:\r\n" +
		"\"ware-1\" Id=12 cpu=232245 ns usr=0 ns blocked 1 for -1 ms waited 1 for -1 ms\r\n" +
		"   java.lang.Thread.State: BLOCKED\r\n",
	"Dropwizard": `"ware-1" id=12 state=BLOCKED
    - waiting to lock <0x1b2c6ec2> (a com.acme.ware.Shelf)
     owned by ware-2 id=13
    at app//com.acme.ware.Shelf.put(Shelf.java:9)

"ware-2" id=13 state=RUNNABLE (running in native)
    at java.base@17.0.15/sun.nio.ch.SocketDispatcher.read0(Native Method)
    at app//com.acme.ware.Shelf.load(Shelf.java:20)
      - locked com.acme.ware.Shelf@1b2c6ec2

    Locked synchronizers: count = 1
      - java.util.concurrent.locks.ReentrantLock$NonfairSync@2d8e6db6

`,
	"Jenkins": `"ware-1" id=12 (0xc) state=BLOCKED cpu=50%
    - waiting to lock <0x1b2c6ec2> (a com.acme.ware.Shelf)
      owned by "ware-2" id=13 (0xd)
    at com.acme.ware.Shelf.put(Shelf.java:9)

"ware-2" id=13 (0xd) state=RUNNABLE cpu=86% (running in native)
    at sun.nio.ch.SocketDispatcher.read0(Native Method)
    at com.acme.ware.Shelf.load(Shelf.java:20)
      - locked com.acme.ware.Shelf@1b2c6ec2

`,
	"Jenkins's page": `Thread dump [Jenkins]

built-in node

"ware-1" Id=12 Group=ware house BLOCKED on com.acme.ware.Shelf@1b2c6ec2 owned by "ware-2" Id=13
	at app//com.acme.ware.Shelf.put(Shelf.java:9)
	-  blocked on com.acme.ware.Shelf@1b2c6ec2
	at java.base@17.0.15/java.lang.Thread.run(Thread.java:840)

"ware-2" Id=13 Group=main RUNNABLE (in native)
	at java.base@17.0.15/sun.nio.ch.SocketDispatcher.read0(Native Method)
	at app//com.acme.ware.Shelf.load(Shelf.java:20)
	-  locked com.acme.ware.Shelf@1b2c6ec2

	Number of locked synchronizers = 1
	- java.util.concurrent.ThreadPoolExecutor$Worker@62a8fd44

`,
	"Solr": `{
  "responseHeader":{
    "status":0},
  "system":{
    "threadDump":[
      "thread",{
        "id":12,
        "name":"ware-1",
        "state":"BLOCKED",
        "lock":"com.acme.ware.Shelf@1b2c6ec2",
        "lock-waiting":{
          "name":"com.acme.ware.Shelf@1b2c6ec2",
          "owner":{
            "name":"ware-2",
            "id":13}},
        "cpuTime":"9.3513ms",
        "stackTrace":["app//com.acme.ware.Shelf.put(Shelf.java:9)"]},
      "thread",{
        "id":13,
        "name":"ware-2",
        "state":"RUNNABLE",
        "monitors-locked":["com.acme.ware.Shelf@1b2c6ec2"],
        "native":true,
        "stackTrace":["java.base@17.0.15/sun.nio.ch.SocketDispatcher.read0(Native Method)",
          "app//com.acme.ware.Shelf.load(Shelf.java:20)"]},
      "thread",{
        "id":14,
        "name":"ware-3",
        "state":"WAITING",
        "lock-waiting":{
          "name":"java.lang.Object@1b2c6ec3",
          "owner":null},
        "synchronizers-locked":["java.util.concurrent.locks.ReentrantLock$NonfairSync@5b2c6ec2"],
        "stackTrace":["java.lang.Object.wait(Native Method)"]}]}}
`,
	"Karaf": `"ware-1" Id=12 in BLOCKED on lock=com.acme.ware.Shelf@1b2c6ec2
     owned by ware-2 Id=13
    at com.acme.ware.Shelf.put(Shelf.java:9)

"ware-2" Id=13 in RUNNABLE (running in native)
    at sun.nio.ch.SocketDispatcher.read0(Native Method)
    at com.acme.ware.Shelf.load(Shelf.java:20)
      - locked com.acme.ware.Shelf@1b2c6ec2

`,
	"Arthas": `"ware-1" Id=12 cpuUsage=0.0% deltaTime=0ms time=12ms BLOCKED on com.acme.ware.Shelf@1b2c6ec2 owned by "ware-2" Id=13
    at com.acme.ware.Shelf.put(Shelf.java:9)
    -  blocked on com.acme.ware.Shelf@1b2c6ec2

"ware-2" Id=13 cpuUsage=9.11% deltaTime=18ms time=401ms RUNNABLE (in native)
    at sun.nio.ch.SocketDispatcher.read0(Native Method)
    at com.acme.ware.Shelf.load(Shelf.java:20)
    -  locked com.acme.ware.Shelf@1b2c6ec2 <---- but blocks 1 other threads!

"C1 CompilerThread0" [Internal] cpuUsage=1.63% deltaTime=3ms time=1170ms
`,
	"Hadoop": `Process Thread Dump: jsp requested
2 active threads
Thread 12 (ware-1):
  State: BLOCKED
  Blocked count: 1190
  Waited count: 20112
  Blocked on com.acme.ware.Shelf@1b2c6ec2
  Blocked by 13 (ware-2)
  Stack:
    com.acme.ware.Shelf.put(Shelf.java:9)
    java.lang.Thread.run(Thread.java:750)
Thread 13 (ware-2):
  State: RUNNABLE
  Blocked count: 2
  Waited count: 981
  Stack:
    sun.nio.ch.SocketDispatcher.read0(Native Method)
    com.acme.ware.Shelf.load(Shelf.java:20)
`,
}

// checkBlocked holds what each form shows of the thread that waits for the other's monitor.
func checkBlocked(t *testing.T, form string, waiter *Thread) {
	t.Helper()
	if waiter.ID != 12 || waiter.State != Blocked {
		t.Errorf("%s: the waiter is %+v", form, waiter)
	}
	if len(waiter.Stack) == 0 || waiter.Stack[0].Name() != "com.acme.ware.Shelf.put" {
		t.Errorf("%s: the waiter's stack is %v", form, waiter.Stack)
	}
	if len(waiter.Locks) != 1 {
		t.Fatalf("%s: the waiter's locks are %+v", form, waiter.Locks)
	}
	if l := waiter.Locks[0]; l.Op != WaitingToLock || l.Owner != 13 || l.Class != "com.acme.ware.Shelf" {
		t.Errorf("%s: the waiter waits for %+v", form, l)
	}
}

// checkOwner holds what each form shows of the thread that owns the monitor. Hadoop's lacks what it owns,
// and Arthas' counts the threads that wait for it.
func checkOwner(t *testing.T, form string, owner *Thread) {
	t.Helper()
	if owner.ID != 13 || owner.State != Runnable || len(owner.Stack) != 2 || !owner.Stack[0].Native {
		t.Errorf("%s: the owner is %+v", form, owner)
	}
	if form == "Hadoop" {
		return
	}
	if len(owner.Locks) == 0 || owner.Locks[0].Op != Locked || owner.Locks[0].Address != 0x1b2c6ec2 {
		t.Fatalf("%s: the owner's locks are %+v", form, owner.Locks)
	}
	if form == "Arthas" && owner.Locks[0].Blocks != 1 {
		t.Errorf("Arthas counts one thread behind the lock: %+v", owner.Locks)
	}
}

func TestFormsOfTheManagementInterface(t *testing.T) {
	for name, text := range blocked {
		d := one(t, []byte(text))
		waiter, owner := byName(t, d, "ware-1"), byName(t, d, "ware-2")
		if !d.Instant || d.Cut || d.Lost > 0 {
			t.Errorf("%s: %+v", name, d)
		}
		checkBlocked(t, name, waiter)
		checkOwner(t, name, owner)
	}
	if cpu := byName(t, one(t, []byte(blocked["Tomcat"])), "ware-1").CPU; cpu.Value != 232245*time.Nanosecond {
		t.Errorf("%v", cpu)
	}
	third := byName(t, one(t, []byte(blocked["Solr"])), "ware-3").Locks
	if len(third) != 2 || third[0].Op != OwnsSynchronizer || third[1].Address != 0x1b2c6ec3 || third[1].Owner != 0 {
		t.Errorf("%+v", third)
	}
	if vm := byName(t, one(t, []byte(blocked["Arthas"])), "C1 CompilerThread0"); vm.ID != 0 {
		t.Errorf("%+v", vm)
	}
}

// These forms tell less: what they do not have is unknown.
func TestSmallerForms(t *testing.T) {
	for name, c := range map[string]struct {
		text   string
		thread string
		state  State
		top    string
	}{
		"JavaMelody": {"\"ware-1\" daemon prio=5 WAITING\n\tjdk.internal.misc.Unsafe.park(Native Method)\n" +
			"\tcom.acme.ware.Shelf.put(Shelf.java:9)\n\n\"ware-2\" prio=5 RUNNABLE\n\n", "ware-1", Waiting,
			"jdk.internal.misc.Unsafe.park"},
		"Karaf's one": {"Thread 25 ware 1 WAITING\nStacktrace:\njdk.internal.misc.Unsafe.park line: -2\n" +
			"com.acme.ware.Shelf.put line: 9\n", "ware 1", Waiting, "jdk.internal.misc.Unsafe.park"},
		"a watchdog": {"[20:04:57 ERROR]: ------------------------------\n" +
			"[20:04:57 ERROR]: Current Thread: Server thread\n" +
			"[20:04:57 ERROR]: \tPID: 43 | Suspended: false | Native: false | State: TIMED_WAITING\n" +
			"[20:04:57 ERROR]: \tStack:\n[20:04:57 ERROR]: \t\tjava.lang.Thread.sleep(Native Method)\n" +
			"[20:04:57 ERROR]: \t\tcom.acme.ware.Tick.run(Tick.java:3)\n" +
			"[20:04:57 ERROR]: ------------------------------\n", "Server thread", TimedWaiting,
			"java.lang.Thread.sleep"},
		"Jetty 10": {"|  +> threads size=2\n|     +> qtp11-32 TIMED_WAITING tid=32 prio=5 IDLE\n" +
			"|     +> qtp11-31-acceptor-0@5 WAITING tid=31 prio=3 @ " +
			"java.base/jdk.internal.misc.Unsafe.park(Native Method)\n", "qtp11-31-acceptor-0@5", Waiting,
			"jdk.internal.misc.Unsafe.park"},
		"Jetty 9": {"|     +> 12 qtp16-12 SELECTING RUNNABLE @ " +
			"java.base@11.0.5/sun.nio.ch.EPoll.wait(Native Method)\n", "qtp16-12", Runnable, "sun.nio.ch.EPoll.wait"},
		"jstack -F": {"Attaching to process ID 4711, please wait...\nDeadlock Detection:\n\n" +
			"No deadlocks found.\n\nThread 22895: (state = BLOCKED)\n" +
			" - java.lang.Object.wait(long) @bci=0 (Interpreted frame)\n" +
			" - java.util.TimerThread.mainLoop() @bci=36, line=552 (Interpreted frame)\n\n\n" +
			"Thread 22894: (state = IN_NATIVE)\n" +
			" - com.acme.ware.Shelf.load() @bci=0 (Interpreted frame)\n", "Thread 22895",
			TimedWaiting, "java.lang.Object.wait"},
		"jstack -m": {"Deadlock Detection:\n\nNo deadlocks found.\n\n" +
			"----------------- 27941 -----------------\n0x00007f2a4b3c1d2f\t__pthread_cond_wait + 0xcf\n" +
			"0x00007f2a4a6e0f0d\t* java.lang.Object.wait(long) bci:0 (Interpreted frame)\n" +
			"0x00007f2a4a6e0f51\t* a.B.c() bci:2 line:503 (Interpreted frame)\n" +
			"----------------- 27942 -----------------\n" +
			"0x00007f2a4b3c1d2f\t__pthread_cond_wait + 0xcf\n", "Thread 27941", TimedWaiting,
			"java.lang.Object.wait"},
		"lost quote": {"main\" #1 prio=5 os_prio=0 tid=0x00007fefa80181a0 nid=0x55c7 in Object.wait()  " +
			"[0x00007fefad7fe000]\n   java.lang.Thread.State: WAITING (on object monitor)\n" +
			"\tat java.lang.Object.wait(Native Method)\n", "main", Waiting, "java.lang.Object.wait"},
		"double quotes": {"\"my \"own\" thread\" Id=7 WAITING on java.lang.Object@7\n" +
			"\tat java.lang.Object.wait(Native Method)\n", `my "own" thread`, Waiting, "java.lang.Object.wait"},
	} {
		th := byName(t, one(t, []byte(c.text)), c.thread)
		if th.State != c.state || len(th.Stack) == 0 || th.Stack[0].Name() != c.top || th.Role() == VM {
			t.Errorf("%s: %+v", name, th)
		}
	}
}

// The deadlock section alone is a dump of the threads in it.
func TestADeadlockSectionAlone(t *testing.T) {
	section := `Found one Java-level deadlock:
=============================
"ware-1":
  waiting to lock monitor 0x00007ff21c000fe0 (object 0x00000000fc0e1a30, a com.acme.ware.Shelf),
  which is held by "ware-2"
"ware-2":
  waiting to lock monitor 0x00007ff220000d60 (object 0x00000000fc0e1a20, a com.acme.ware.Shelf),
  which is held by "ware-1"

`
	stacks := `Java stack information for the threads listed above:
===================================================
"ware-1":
	at com.acme.ware.Shelf.put(Shelf.java:9)
	- waiting to lock <0x00000000fc0e1a30> (a com.acme.ware.Shelf)
	- locked <0x00000000fc0e1a20> (a com.acme.ware.Shelf)
"ware-2":
	at com.acme.ware.Shelf.put(Shelf.java:9)
	- waiting to lock <0x00000000fc0e1a20> (a com.acme.ware.Shelf)
	- locked <0x00000000fc0e1a30> (a com.acme.ware.Shelf)

Found 1 deadlock.
`
	for name, text := range map[string]string{"whole": section + stacks, "without stacks": section} {
		d := one(t, []byte(text))
		if len(d.Threads) != 2 || len(d.Deadlocks) != 1 || len(d.Deadlocks[0].Members) != 2 {
			t.Fatalf("%s: %+v", name, d)
		}
		for _, th := range d.Threads {
			if th.State != Blocked || th.Locks[0].Op != WaitingToLock || name == "whole" && len(th.Stack) != 1 {
				t.Errorf("%s: %+v", name, th)
			}
		}
	}
}

// What looks like a thread and cannot be read is counted, and reported with its line.
func TestLostThreadsAreCounted(t *testing.T) {
	for name, text := range map[string]string{
		"HotSpot": "Full thread dump X VM (1 mixed mode):\n\n" +
			"\"a\" #1 prio=5 os_prio=0 tid=0x01 nid=0x1 runnable  [0x01]\n\n" +
			"\"b\" #2 prio=5 os_prio=0 tid=?? nid=?? runnable  [0x01]\n\tat a.B.c(D.java:1)\n\n" +
			"\"c\" #3 prio=5 os_prio=0 tid=0x03 nid=0x3 runnable  [0x01]\n\nJNI global refs: 1\n",
		"ThreadInfo": "\"a\" prio=5 Id=1 RUNNABLE\n\n\"b\" prio=5 Id=x RUNNABLE\n\n\"c\" prio=5 Id=3 RUNNABLE\n",
	} {
		d := one(t, []byte(text))
		if d.Lost != 1 || len(d.Threads) != 2 || len(d.Problems) != 1 || !strings.HasPrefix(d.Problems[0].Text, `"b"`) {
			t.Errorf("%s: lost %d, %d threads, %+v", name, d.Lost, len(d.Threads), d.Problems)
		}
	}
}

func TestProseAroundADumpIsNoProblem(t *testing.T) {
	dump := string(read(t, "../testdata/dumps/jdk17/idle-threaddump-l.txt"))
	cut, _, _ := strings.Cut(dump, "\n\"VM Thread\"")
	for name, text := range map[string]string{
		"whole":       "Hi all,\n\nit hangs since \"Monday\".\n\n" + dump + "\nThanks\nBob\n",
		"without end": "Hi all,\n" + cut + "\n```\nThanks, and \"see you\"\nBob\n",
		"fragment": "it hangs here:\n\"main\" #1 prio=5 os_prio=0 tid=0x01 nid=0x1 runnable  [0x01]\n" +
			"\tat a.B.c(D.java:1)\n\nWhat is it?\n",
	} {
		d := one(t, []byte(text))
		if len(d.Problems) > 0 || d.Lost > 0 || d.Fragment != (name == "fragment") {
			t.Errorf("%s: %+v, lost %d, fragment %v", name, d.Problems, d.Lost, d.Fragment)
		}
	}
}

// Lines that look like much and are nothing cost no more than others.
func TestHostileLinesAreReadInTime(t *testing.T) {
	for _, part := range []string{`" `, `"(" `, `" ns`, "<", "<b ", "\x1b]", "\x1b[", "&quot;", "&", `"a" Id=1 `,
		"Thread 1 (", "\tat a(", "+qtp1 ", "\xff", "“", `"x" prio=5 `, "<br>", "Current Thread: "} {
		for _, text := range []string{strings.Repeat(part, 1<<20/len(part)),
			strings.Repeat(strings.Repeat(part, 60<<10/len(part))+"\n", 20),
			strings.Repeat(part+"\n", 1<<20/len(part))} {
			start := time.Now()
			_, _ = Parse([]byte(text))
			if took := time.Since(start); took > 10*time.Second {
				t.Errorf("%q: %v", part, took)
			} else if took > time.Second {
				t.Logf("%q: %v", part, took)
			}
		}
	}
}

// JSON of other servers, with the frame of the thread "main", which waits.
func TestJSONOfOtherServers(t *testing.T) {
	for name, text := range map[string]string{
		"Spark": `[{"threadId":7,"threadName":"main","threadState":"WAITING","stackTrace":{"elems":["a.B.c(B.java:1)","java.lang.Thread.run(Thread.java:840)"]},"blockedByLock":"","holdingLocks":[]},{"threadId":8,"threadName":"x","threadState":"RUNNABLE","stackTrace":{"elems":[]}}]`,
		"Spark, older": "[ {\n  \"threadId\" : 7,\n  \"threadName\" : \"main\",\n" +
			"  \"threadState\" : \"WAITING\",\n" +
			"  \"stackTrace\" : \"a.B.c(B.java:1)\\njava.lang.Thread.run(Thread.java:840)\"\n} ]\n",
		"Flink": `{"threadInfos":[{"threadName":"main","stringifiedThreadInfo":"\"main\" Id=7 WAITING on a.Q@1f owned by \"x\" Id=8\n\tat a.B.c(B.java:1)\n\t-  locked a.R@2f\n\tat java.lang.Thread.run(Thread.java:840)\n\n"}]}`,
		"Solr": "{\n  \"system\":{\n    \"threadDump\":[\n      \"thread\",{\n        \"id\":7,\n" +
			"        \"name\":\"main\",\n        \"state\":\"WAITING\",\n        \"cpuTime\":\"1.2ms\",\n" +
			"        \"stackTrace\":[\"a.B.c(B.java:1)\",\n" +
			"          \"java.lang.Thread.run(Thread.java:840)\"]}]}}\n",
	} {
		th := byName(t, one(t, []byte(text)), "main")
		if th.ID != 7 || th.State != Waiting || len(th.Stack) != 2 || th.Stack[0].Name() != "a.B.c" ||
			th.Stack[0].Line != 1 {
			t.Errorf("%s: %+v", name, th)
		}
		if name == "Flink" && (len(th.Locks) != 2 || th.Locks[0].Owner != 8 || th.Locks[1].Op != Locked) {
			t.Errorf("%s: %+v", name, th.Locks)
		}
	}
}
