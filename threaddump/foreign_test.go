package threaddump

import (
	"errors"
	"strings"
	"testing"
)

// foreignSamples are excerpts of what other tools print, with a word of the answer.
var foreignSamples = map[string]string{
	"2LKMONINUSE      sys_mon_t:0x00007F5CE4010A58 infl_mon_t: 0x00007F5CE4010AD8:\n" +
		"3LKMONOBJECT       com/acme/ware/Shelf@0x00000000FFF30D10\n": "javacore",
	"0SECTION       TITLE subcomponent dump routine\nNULL           ===============================\n": "OpenJ9",
	"===== FULL THREAD DUMP ===============\nFri Nov 27 21:14:03 2026\nOracle JRockit(R) R28.2.7\n":    "JRockit",
	"\"main\" prio=5 tid=1 Blocked\n  | group=\"main\" sCount=1 ucsCount=0 flags=1 obj=0x72e1a9d8\n" +
		"  | sysTid=20114 nice=-10\n  at com.acme.A.b(A.kt:4)\n": "Android",
	"goroutine 1 [semacquire]:\nsync.runtime_Semacquire(0xc000012108?)\n" +
		"\t/usr/local/go/src/runtime/sema.go:62 +0x25\n": "Go program",
	"panic: runtime error\n\ngoroutine 7 gp=0xc000002380 m=3 mp=0xc000064808 [running]:\nmain.f()\n": "goroutines",
	"OS Thread Id: 0x1a2b (0)\n        Child SP               IP Call Site\n" +
		"00007FFD 00007FFC [HelperMethodFrame: 00007ffd]\n": ".NET",
	"Thread (0x48839B):\n  [Native Frames]\n" +
		"  System.Private.CoreLib.il!System.Threading.Monitor.Wait(class System.Object,int32)\n": ".NET",
	"Current thread 0x00007f0 (most recent call first):\n  File \"/app/ware.py\", line 7 in run\n": "Python",
	"Process 4711: python3 app.py\nPython v3.11.2 (/usr/bin/python3.11)\n\nThread 4711 (idle): \"MainThread\"\n" +
		"    wait (threading.py:320)\n": "Python",
	"Error: boom\n    at Shelf.put (/app/ware.js:12:9)\n    at node:internal/main/run_main_module:17:47\n": "Node.js",
	"/app/ware.rb:12:in `put': boom (RuntimeError)\n\tfrom /app/ware.rb:20:in `<main>'\n":                  "Ruby",
	"thread 'main' panicked at src/main.rs:4:5:\nboom\nstack backtrace:\n   0: rust_begin_unwind\n":        "Rust",
	"Thread 2 (Thread 0x7f1 (LWP 4712)):\n" +
		"#0  0x00007f1 in __futex_abstimed_wait () from /lib/x86_64-linux-gnu/libc.so.6\n" +
		"#1  0x00007f2 in Monitor::wait(long) ()\n": "native frames",
	"::: {es-1}{Yw}{10.0.0.1}\n   Hot threads at 2026-11-27T21:14:03.118Z, interval=500ms\n" +
		"   99.1% cpu usage by thread 'elasticsearch[es-1][search][T#7]'\n": "Elasticsearch",
	"Full thread dump:\n\n\"ware-1\" #9 daemon thread=0x00007f6c state=BLOCKED\n" +
		"  SP 0x00007f6c IP 0x01a2 size=64  com.acme.Shelf.put(Shelf.java:9)\n": "native image",
	"Thread [ware-1] (Suspended)\t\n\tObject.wait(long) line: not available [native method]\t\n" +
		"\tShelf(Object).wait() line: 503\t\n\tShelf.put(Box) line: 9\t\n": "Eclipse",
	"ware-1 [12] (RUNNABLE)\n    Shelf.put line: 9\n    Desk.run line: 40\n": "Eclipse's Debug view",
	"Full thread dump SAP Java Server VM (8.1.049 25.51-b14 mixed mode):\n\n" +
		"\"main\" cpu=12.30 [reset 12.30] ms allocated=3 B\n  prio=6 tid=0x01 nid=0x2\n": "SAP",
	"Full thread dump Java HotSpot(TM) Server VM (1.6.0.14-_20_may_2012 mixed mode):\n\n" +
		"\"main\" prio=8 tid=0000000001 nid=1 lwp_id=4711 runnable [9fff0..9fff8]\n": "HP-UX",
	"   java.lang.Thread.State: RUNNABLE\n\tat com.acme.Shelf.put(Shelf.java:9)\n\n" +
		"\"main\" prio=8 tid=0000000001 nid=1 lwp_id=4711 runnable [9fff0..9fff8]\n": "HP-UX",
}

func TestDumpsOfOthersAreRefusedByName(t *testing.T) {
	for text, word := range foreignSamples {
		for _, input := range []string{text, "It hangs:\n\n" + text + "\nWhat now?\n"} {
			dumps, err := Parse([]byte(input))
			foreign := (*ForeignError)(nil)
			if len(dumps) > 0 || !errors.As(err, &foreign) || !errors.Is(err, ErrNoDump) {
				t.Errorf("%q: %d dumps, %v", input, len(dumps), err)
				continue
			}
			if !strings.Contains(foreign.What, word) || foreign.Tool == "" || strings.Contains(foreign.Tool, "jstack") {
				t.Errorf("%q: %q, %q", input, foreign.What, foreign.Tool)
			}
		}
	}
}

// A dump of HotSpot next to them is read nevertheless.
func TestADumpBesideThoseOfOthersIsRead(t *testing.T) {
	dump := string(read(t, "../testdata/dumps/jdk17/idle-threaddump-l.txt"))
	for text, who := range foreignSamples {
		if who == "SAP" || who == "HP-UX" {
			continue // they have another head
		}
		if dumps, err := Parse([]byte(text + "\n\n" + dump)); len(dumps) != 1 || err != nil {
			t.Errorf("%q: %d dumps, %v", text, len(dumps), err)
		}
	}
}
