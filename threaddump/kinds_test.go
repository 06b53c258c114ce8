package threaddump

import (
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"
)

func TestHeaders(t *testing.T) {
	for line, want := range map[string]Thread{
		`"w-park" #12 daemon prio=5 os_prio=0 tid=0x00007fe3f0189800 nid=0x6374 waiting on condition [0x00007fe3d029d000]`: {
			Name: "w-park", ID: 12, TID: 0x7fe3f0189800, NativeID: 0x6374, Daemon: true, Priority: 5,
			Condition: "waiting on condition"},
		`"w-sleep" #13 prio=5 os_prio=0 tid=0x00007fe3f0189800 nid=0x6375 sleeping[0x00007fe3d029d000]`: {
			Name: "w-sleep", ID: 13, TID: 0x7fe3f0189800, NativeID: 0x6375, Priority: 5, Condition: "sleeping"},
		`"w-park" #15 daemon prio=5 os_prio=-2 cpu=0.15ms elapsed=1.31s tid=0x00007f0000000010 nid=0x560c in Object.wait()  [0x00007f0000001000]`: {
			Name: "w-park", ID: 15, TID: 0x7f0000000010, NativeID: 0x560c, Daemon: true, Priority: 5, OSPriority: -2,
			CPU: Known(150 * time.Microsecond), Elapsed: Known(1310 * time.Millisecond), Condition: "in Object.wait()"},
		`"w" #21 [32650] prio=10 os_prio=0 cpu=123456.78ms elapsed=86400.00s allocated=624K defined_classes=17 tid=0x00007f0000000010 nid=32651 runnable  [0x0000000000000000]`: {
			Name: "w", ID: 21, TID: 0x7f0000000010, NativeID: 32651, Priority: 10,
			CPU: Known(123456780 * time.Microsecond), Elapsed: Known(24 * time.Hour),
			Allocated: Known[int64](624 << 10), DefinedClasses: Known[int64](17),
			Condition: "runnable", Stackless: true},
		`"ForkJoinPool-1-worker-1" #23 [20283] daemon prio=5 os_prio=0 cpu=209.29ms elapsed=0.98s tid=0x00007f567c0ec0a0  [0x00007f5680544000]`: {
			Name: "ForkJoinPool-1-worker-1", ID: 23, TID: 0x7f567c0ec0a0, NativeID: 20283, Daemon: true, Priority: 5,
			CPU: Known(209290 * time.Microsecond), Elapsed: Known(980 * time.Millisecond)},
		`"VM Thread" os_prio=0 cpu=8.02ms elapsed=1.34s tid=0x00007fce000d9320 nid=32637 runnable  `: {
			Name: "VM Thread", TID: 0x7fce000d9320, NativeID: 32637, CPU: Known(8020 * time.Microsecond),
			Elapsed:   Known(1340 * time.Millisecond),
			Condition: "runnable", Stackless: true},
		`"VM Thread" os_prio=0 cpu=8.02ms elapsed=1.34s tid=0x00007fce000d9320 nid=32637 runnable _threads_hazard_ptr=0x00007f95a4002060 `: {
			Name: "VM Thread", TID: 0x7fce000d9320, NativeID: 32637, CPU: Known(8020 * time.Microsecond),
			Elapsed:   Known(1340 * time.Millisecond),
			Condition: "runnable", Stackless: true},
		`"main" #1 prio=5 tid=0x00007f8ac4018350 nid=0x4077 waiting for monitor entry [0x00007f8acbffe000]`: {
			Name: "main", ID: 1, TID: 0x7f8ac4018350, NativeID: 0x4077, Priority: 5,
			Condition: "waiting for monitor entry"},
		`"cpu=9999.99ms elapsed=1.00s" #30 prio=5 os_prio=0 tid=0x01b0c400 nid=0x1b04 at breakpoint [0x0232f000]`: {
			Name: "cpu=9999.99ms elapsed=1.00s", ID: 30, TID: 0x1b0c400, NativeID: 0x1b04, Priority: 5,
			Condition: "at breakpoint"},
		`"big" #31 prio=5 os_prio=0 cpu=0.00ms elapsed=0.00s allocated=3G defined_classes=0 tid=0x00007f0000000010 nid=1 runnable  [0x00007f0000000000]`: {
			Name: "big", ID: 31, TID: 0x7f0000000010, NativeID: 1, Priority: 5, CPU: Known(time.Duration(0)),
			Elapsed:   Known(time.Duration(0)),
			Allocated: Known[int64](3 << 30), DefinedClasses: Known[int64](0), Condition: "runnable"},
	} {
		d := one(t, text(line))
		want.Line = 1
		if len(d.Threads) != 1 || !reflect.DeepEqual(*d.Threads[0], want) {
			t.Errorf("%s\ngot  %+v\nwant %+v", line, *d.Threads[0], want)
		}
	}
}

func TestFrames(t *testing.T) {
	for text, want := range map[string]Frame{
		"java.lang.Thread.sleep(java.base@21.0.13/Thread.java:509)": {
			Class: "java.lang.Thread", Method: "sleep", Module: "java.base", ModuleVersion: "21.0.13",
			File: "Thread.java", Line: 509},
		"java.lang.Thread.sleep0(java.base@21.0.13/Native Method)": {
			Class: "java.lang.Thread", Method: "sleep0", Module: "java.base", ModuleVersion: "21.0.13", Native: true},
		"sun.misc.Unsafe.park(Native Method)":              {Class: "sun.misc.Unsafe", Method: "park", Native: true},
		"W$$Lambda/0x00007ff130000a08.run(Unknown Source)": {Class: "W$$Lambda/0x00007ff130000a08", Method: "run"},
		"W$$Lambda$1/295530567.run(Unknown Source)":        {Class: "W$$Lambda$1/295530567", Method: "run"},
		"W.<clinit>(W.java)":                               {Class: "W", Method: "<clinit>", File: "W.java"},
		"W.run(Redefined)":                                 {Class: "W", Method: "run"},
		"my.App$Companion.do it (fast)(App.kt:3)": {Class: "my.App$Companion", Method: "do it (fast)",
			File: "App.kt", Line: 3},
		"my.Main.run(my.module/Main.java:3)": {Class: "my.Main", Method: "run", Module: "my.module",
			File: "Main.java", Line: 3},
		"java.base/java.lang.Thread.run(Thread.java:1474)": {
			Class: "java.lang.Thread", Method: "run", Module: "java.base", File: "Thread.java", Line: 1474},
		"app/my.module@1.0/my.Main.run(Main.java:3)": {
			Class: "my.Main", Method: "run", Loader: "app", Module: "my.module", ModuleVersion: "1.0",
			File: "Main.java", Line: 3},
		"custom//my.Main.run(Main.java:3)": {Class: "my.Main", Method: "run", Loader: "custom", File: "Main.java",
			Line: 3},
		"java.base/java.lang.VirtualThread$$Lambda/0x000000009b005c00.run(Unknown Source)": {
			Class: "java.lang.VirtualThread$$Lambda/0x000000009b005c00", Method: "run", Module: "java.base"},
		"java.base@27.0.1/java.lang.X$$Lambda/0x01.run(Unknown Source)": {
			Class: "java.lang.X$$Lambda/0x01", Method: "run", Module: "java.base", ModuleVersion: "27.0.1"},
		"java.lang.Object.wait(long) @bci=0 (Interpreted frame)": {Class: "java.lang.Object",
			Method: "wait"},
		"W.zz(java.lang.String, int) @bci=1, line=4 (Compiled frame; information x)": {Class: "W", Method: "zz",
			Line: 4},
		"unreadable": {},
		"":           {},
		")":          {},
		"(":          {},
		"a.b(":       {Class: "a", Method: "b"},
	} {
		var got Frame
		parseFrame(&got, text)
		if want.Text = text; got != want {
			t.Errorf("%s\ngot  %+v\nwant %+v", text, got, want)
		}
	}
}

func TestLocks(t *testing.T) {
	for line, want := range map[string]Lock{
		"- waiting on <0x000000069ec025f0> (a java.lang.ref.ReferenceQueue$Lock)": {Op: WaitingOn,
			Address: 0x69ec025f0, Class: "java.lang.ref.ReferenceQueue$Lock"},
		"- waiting to re-lock in wait() <0x0000000687821608> (a java.lang.Object)": {Op: WaitingToRelock,
			Address: 0x687821608, Class: "java.lang.Object"},
		"- waiting to lock <0x000000074277edc8> (a [I)": {Op: WaitingToLock, Address: 0x74277edc8, Class: "[I"},
		"- parking to wait for  <0x00000006878216d0> (a java.util.concurrent.Semaphore$NonfairSync)": {Op: Parking,
			Address: 0x6878216d0, Class: "java.util.concurrent.Semaphore$NonfairSync"},
		"- locked <0x000000074277b770> (a java.lang.Class for W)": {Op: Locked,
			Address: 0x74277b770, Class: "java.lang.Class for W"},
		"- eliminated <0x00000006878216d0> (a java.lang.Object)": {Op: Eliminated,
			Address: 0x6878216d0, Class: "java.lang.Object"},
		"- eliminated <owner is scalar replaced> (a java.lang.Object)": {Op: Eliminated,
			Class: "java.lang.Object"},
		"- waiting on the Class initialization monitor for W$CA": {Op: WaitingForClassInit,
			Class: "W$CA"},
		"- waiting on <no object reference available>":         {Op: WaitingOn},
		"- waiting on <no locals available>":                   {Op: WaitingOn},
		"- waiting to re-lock in wait() <no locals available>": {Op: WaitingToRelock},
		"- <0x0000000687821608> (a java.util.concurrent.ThreadPoolExecutor$Worker)": {Op: OwnsSynchronizer,
			Address: 0x687821608, Class: "java.util.concurrent.ThreadPoolExecutor$Worker"},
		"- locked <java.lang.Object@4957608d>": {Op: Locked,
			Address: 0x4957608d, Class: "java.lang.Object"},
		"- parking to wait for <java.util.Foo@1b>, owner #21": {Op: Parking, Address: 0x1b,
			Class: "java.util.Foo", Owner: 21},
		"- lock is eliminated":                 {Op: Eliminated},
		"- something new <0x0000000687821608>": {Class: "something new <0x0000000687821608>"},
	} {
		got := parseLock([]byte(line[2:]), NewInterner())
		if got != want {
			t.Errorf("%s\ngot  %+v\nwant %+v", line, got, want)
		}
	}
}

func TestUnknownLineUnderAFrame(t *testing.T) {
	d := one(t, text(
		`"main" #1 prio=5 os_prio=0 tid=0x00007fc9a000a000 nid=0x6560 runnable [0x00007fc9a79fe000]`,
		"   java.lang.Thread.State: RUNNABLE",
		"\tat W.main(W.java:91)",
		"\t- flying over <0x000000069ec025f0>",
		"\t- locked <0x000000069ec025f0> (a W)",
		"",
	))
	locks := d.Threads[0].Locks
	if len(locks) != 2 || locks[0].Op != LockUnknown || locks[0].Line != 4 || locks[1].Op != Locked ||
		locks[1].Depth != 0 {
		t.Errorf("%+v", locks)
	}
	if len(d.Problems) != 1 ||
		d.Problems[0] != (Problem{4, "\t- flying over <0x000000069ec025f0>", "an unknown line under a frame"}) {
		t.Errorf("%+v", d.Problems)
	}
}

func TestStates(t *testing.T) {
	for line, want := range map[string]string{
		"NEW": "NEW ()", "RUNNABLE": "RUNNABLE ()", "BLOCKED (on object monitor)": "BLOCKED (on object monitor)",
		"WAITING (parking)": "WAITING (parking)", "TIMED_WAITING (sleeping)": "TIMED_WAITING (sleeping)",
		"TERMINATED": "TERMINATED ()",
	} {
		d := one(
			t,
			text(`"main" #1 prio=5 os_prio=0 tid=0x00007fc9a000a000 nid=0x6560 runnable [0x00007fc9a79fe000]`,
				"   java.lang.Thread.State: "+line, ""),
		)
		if th := d.Threads[0]; fmt.Sprintf("%s (%s)", th.State, th.StateDetail) != want || len(d.Problems) != 0 {
			t.Errorf("%s: %s (%s) %v", line, th.State, th.StateDetail, d.Problems)
		}
	}
}

func TestCompileTasks(t *testing.T) {
	header := `"C2 CompilerThread0" #5 daemon prio=9 os_prio=0 cpu=1.00ms elapsed=1.00s tid=0x00007fc9a000a000 nid=0x6560 waiting on condition  [0x0000000000000000]`
	for line, want := range map[string]string{
		"   No compile task": "",
		"   Compiling: 1165       4       a.B::m (39 bytes)": "1165       4       a.B::m (39 bytes)",
	} {
		th := one(t, text(header, "   java.lang.Thread.State: RUNNABLE", line, "")).Threads[0]
		if th.CompileTask != want || !th.Compiler || th.Role() != JIT {
			t.Errorf("%s: %+v", line, th)
		}
	}
}

func TestDeadlockReport(t *testing.T) {
	d := one(t, text("Found one Java-level deadlock:", "=============================", "\"two", "lines\":",
		"  waiting to lock monitor 0x00007fe3a4002818 (object 0x000000074277edc8, a java.lang.String),",
		"  which is held by \"a\":", "b\"", "", "\"a\":", "b\":",
		"  waiting for ownable synchronizer 0x0000000687821608, (a "+
			"java.util.concurrent.locks.ReentrantLock$NonfairSync),",
		"  in JNI, which is held by \"two", "lines\"", "", "Java stack information for the threads listed above:",
		"===================================================", "\"two", "lines\":", "\tat W.lock2(W.java:7)",
		"\t- waiting to lock <0x000000074277edc8> (a java.lang.String)", "", "Found 1 deadlock.", ""))
	want := []Deadlock{{Line: 1, Members: []DeadlockMember{
		{
			Thread: "two\nlines", Monitor: true, Address: 0x74277edc8, Class: "java.lang.String", HeldBy: "a\":\nb",
			Line: 3,
		},
		{Thread: "a", Line: 9},
	}}}
	// A name with `":` before a line break looks like a whole name; the
	// rest of its line is not taken for anything else.
	if got := d.Deadlocks; len(got) != 1 || !reflect.DeepEqual(got[0].Members[0], want[0].Members[0]) ||
		got[0].Members[1].Thread != "a" {
		t.Errorf("%+v", got)
	}
}

func TestMembersOfDeadlocks(t *testing.T) {
	for file, want := range map[string]string{
		"jdk8/mondl-threaddump-l.txt": "victim-of-dl>dl-A dl-A>dl-B dl-B>dl-A; dl3-Z>dl3-X dl3-X>dl3-Y dl3-Y>dl3-Z; ",
		"jdk27/rldl-threaddump-l.txt": "rl-A>rl-B rl-B>rl-A; mix-mon>mix-rl mix-rl>mix-mon; rw-1>rw-2 rw-2>rw-1; ",
	} {
		var got strings.Builder
		for _, dl := range one(t, read(t, "../testdata/dumps/"+file)).Deadlocks {
			sep := ""
			for _, m := range dl.Members {
				fmt.Fprintf(&got, "%s%s>%s", sep, m.Thread, m.HeldBy)
				sep = " "
			}
			got.WriteString("; ")
		}
		if got.String() != want {
			t.Errorf("%s: %s, want %s", file, got.String(), want)
		}
	}
}

func TestDebuggerDeadlocks(t *testing.T) {
	d := one(t, text(
		"Deadlock Detection:",
		"",
		"Found one Java-level deadlock:",
		"=============================",
		"",
		`"dl-A":`,
		`  waiting to lock Monitor@0x00007f8a34000ff0 (Object@0x000000074277edc8, a java/lang/String),`,
		`  which is held by "dl-B"`,
		`"dl-B":`,
		`  waiting to lock Monitor@0x00007f8a34000fe0 (Object@0x000000074277edb8, a java/lang/Object),`,
		`  which is held by "dl-A"`,
		"",
		"Found a total of 1 deadlock.",
		"",
		`"dl-A" #12 daemon prio=5 tid=0x00007f8ac4018350 nid=0x4077 waiting for monitor entry [0x00007f8acbffe000]`,
		"   java.lang.Thread.State: BLOCKED (on object monitor)",
		"   JavaThread state: _thread_blocked",
		" - W.lock2(java.lang.Object, java.lang.Object) @bci=10, line=7 (Interpreted frame)",
		"\t- waiting to lock <0x000000074277edc8> (a java.lang.String)",
		"",
	))
	if len(d.Deadlocks) != 1 || len(d.Deadlocks[0].Members) != 2 || d.Deadlocks[0].Members[1].Address != 0x74277edb8 {
		t.Errorf("%+v", d.Deadlocks)
	}
	if len(d.Threads) != 1 || d.Threads[0].Stack[0].Method != "lock2" || d.Threads[0].Locks[0].Op != WaitingToLock {
		t.Error(describe([]*Dump{d}, nil))
	}
}

func TestJSONVariants(t *testing.T) {
	compact := `{"threadDump":{"formatVersion":2,"time":"2026-11-20T15:05:57.9Z","new":[{"a":[1,{"b":null}]}],"runtimeVersion":"28","threadContainers":[` +
		`{"container":"p\/q","owner":"4","threads":[{"tid":7,"virtual":true,"name":"q\"\u00e9\ud83d\ude00","state":"WAITING","carrier":9,` +
		`"parkBlocker":{"object":"java.util.L@1f","owner":8},"stack":["java.base\/a.B.c(B.java:3)"],` +
		`"monitorsOwned":[{"depth":0,"locks":["java.lang.Object@2a",null]}]},{"tid":"9","name":"w","stack":[]}],"threadCount":2}]}}`
	d := one(t, []byte(compact))
	want := `dump 0 line 1: "" "28" "" at 2026-11-20T15:05:57.9
1 "q\"\u00e9\U0001f600" application #7 virtual WAITING carrier=9 container="p/q" scopeOwner=4
  1 frames a05b5d77 a.B.c
  1 parking@0 1f java.util.L owner=8
  1 locked@0 2a java.lang.Object
  1 eliminated@0 0 
1 "w" application #9 carrying=7 container="p/q" scopeOwner=4
jni {0 false} {0 false}
`
	got := describe([]*Dump{d}, nil)
	if i, j := strings.Index(got, "frames "), strings.Index(want, "frames "); i < 0 || got[:i] != want[:j] ||
		got[i+16:] != want[j+16:] {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestPlainNamesWithLineBreaks(t *testing.T) {
	d := one(t, text("12685", "2026-11-20T15:00:18.563989003Z", "21.0.13", "", "#1 \"two", "lines\" virtual",
		"      java.base/java.lang.Thread.sleep(Thread.java:509)", "",
		"#2 \"b\" BLOCKED 2026-11-20T15:05:46.680642023Z", "    at V.run(V.java:1)",
		"    - waiting to lock <java.lang.Object@1b>"))
	if len(d.Threads) != 2 || d.Threads[0].Name != "two\nlines" || !d.Threads[0].Virtual || d.Threads[0].Line != 5 ||
		d.Threads[1].State != Blocked || d.Threads[1].Locks[0].Address != 0x1b || d.Version != "21.0.13" {
		t.Error(describe([]*Dump{d}, nil))
	}
}
