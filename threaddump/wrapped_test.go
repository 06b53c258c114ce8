package threaddump

import (
	"bytes"
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
	"testing"
	"testing/iotest"
	"unicode/utf8"
)

// wrappings are ways in which dumps come out of logs: each makes of every line
// of a dump one line of the log.
var wrappings = map[string]func(n int, line string) string{
	"CR LF": func(_ int, l string) string { return l + "\r" },
	"timestamp": func(n int, l string) string {
		return fmt.Sprintf("2026-11-21T10:%02d:%02d.%dZ %s", n/60%60, n%60, n*7, l)
	},
	"logger": func(n int, l string) string {
		return fmt.Sprintf("10:00:%02d,%03d INFO  [main] c.e.App - %s", n%60, n%1000, l)
	},
	"compose": func(_ int, l string) string { return "app_1  | " + l },
	"journald": func(n int, l string) string {
		return fmt.Sprintf("Nov %2d 10:%02d:07 host-3 java[4711]: %s", 1+n%30, n%60, l)
	},
	"kubectl":       func(_ int, l string) string { return "[pod/orders-5d9f7c-x2x/main] " + l },
	"CRI":           func(n int, l string) string { return fmt.Sprintf("2026-11-21T10:00:00.%09dZ stdout F %s", n, l) },
	"trimmed blank": func(n int, l string) string { return strings.TrimRight(fmt.Sprintf("%d: app: %s", n, l), " ") },
	"docker":        func(n int, l string) string { return dockerLine(l+"\n", n) },
	"docker CR LF":  func(n int, l string) string { return dockerLine(l+"\r\n", n) },
	"docker logger": func(n int, l string) string { return dockerLine(fmt.Sprintf("%d INFO - %s\n", n, l), n) },
	"logstash": func(n int, l string) string {
		return fmt.Sprintf(`{"@timestamp":"2026-11-21T10:00:%02dZ","level":"INFO","tags":["a",1],"message":%s}`, n%60,
			quoteJSON(l))
	},
}

func dockerLine(text string, n int) string {
	return fmt.Sprintf(`{"log":%s,"stream":"stdout","time":"2026-11-21T10:00:00.%09dZ"}`, quoteJSON(text), n)
}

func quoteJSON(s string) string {
	b, err := json.Marshal(s)
	if err != nil {
		panic(err)
	}
	return string(b)
}

func wrapLines(b []byte, wrap func(int, string) string) []byte {
	var out bytes.Buffer
	lines := strings.Split(strings.TrimSuffix(string(b), "\n"), "\n")
	for i, l := range lines {
		out.WriteString(wrap(i, l) + "\n")
	}
	return out.Bytes()
}

func TestWrappedDumpsParseAsBareOnes(t *testing.T) {
	eachTextFixture(t, func(t *testing.T, file string, b []byte) {
		if strings.HasSuffix(file, "-l-e.txt") {
			return // has two numbers more than its sister in each header
		}
		want := describe(Parse(b))
		for name, wrap := range wrappings {
			switch {
			case strings.HasPrefix(name, "CR LF") && bytes.Contains(b, []byte("\r")):
				continue // a name ends a line with a CR
			case strings.Contains(string(name), "docker") || name == "logstash":
				if !utf8.Valid(b) {
					continue // JSON cannot hold these names
				}
			case name == "trimmed blank" && strings.Contains(file, "oddnl"):
				continue
			}
			t.Run(name, func(t *testing.T) { sameAs(t, want, wrapLines(b, wrap)) })
		}
	})
}

// TestDumpInOneJSONEvent: loggers may write the whole dump as one event.
func TestDumpInOneJSONEvent(t *testing.T) {
	b := read(t, "../testdata/dumps/jdk21/mondl-threaddump-l.txt")
	event := fmt.Sprintf(`{"level":"WARN","msg":%s,"n":1}`+"\n", quoteJSON("dump taken:\n"+string(b)+string(b)))
	dumps, err := Parse(append([]byte("first\n"+event), event...))
	if err != nil || len(dumps) != 4 {
		t.Fatal(len(dumps), err)
	}
	want := withoutLines(describe([]*Dump{one(t, b)}, nil))
	for i, d := range dumps {
		if got := withoutLines(describe([]*Dump{d}, nil)); got != want {
			t.Error(firstDifference(want, got))
		}
		if d.Line != 2+i/2 || d.Threads[0].Line != 2+i/2 {
			t.Errorf("dump %d at line %d", i, d.Line)
		}
	}
}

var lineNumbers = regexp.MustCompile(`(?m)line \d+|^ *(mounted )?\d+`)

func withoutLines(s string) string { return lineNumbers.ReplaceAllString(s, "") }

// TestSplitLongLines: container runtimes cut lines of more than 16 KB.
func TestSplitLongLines(t *testing.T) {
	b := read(t, "../testdata/dumps/jdk21/oddnl-threaddump-l.txt")
	b = b[:bytes.Index(b, []byte("\n\"nul"))] // what JSON can hold
	long := strings.Repeat("x", 70000)
	b = append(
		b,
		"\n\""+long+"\" #99 [5] prio=5 os_prio=0 cpu=1.00ms elapsed=1.00s tid=0x00007ff118001cf0 nid=5 runnable  "+
			"[0x00007ff1a844c000]\n"...)
	for name, wrap := range map[string]func(string) string{
		"docker": func(l string) string {
			var out []string
			for ; len(l) > 16384; l = l[16384:] {
				out = append(out, dockerLine(l[:16384], 1))
			}
			return strings.Join(append(out, dockerLine(l+"\n", 2)), "\n")
		},
		"CRI": func(l string) string {
			var out []string
			for ; len(l) > 16384; l = l[16384:] {
				out = append(out, "2026-11-21T10:00:00.1Z stdout P "+l[:16384])
			}
			return strings.Join(append(out, "2026-11-21T10:00:00.2Z stdout F "+l), "\n")
		},
	} {
		d := one(t, wrapLines(b, func(_ int, l string) string { return wrap(l) }))
		if last := d.Threads[len(d.Threads)-1]; last.Name != long || last.ID != 99 {
			t.Errorf("%s: last thread is %s", name, shortName(last.Name))
		}
	}
}

// TestBetweenOtherText puts dumps of several JDKs and forms into one log.
func TestBetweenOtherText(t *testing.T) {
	noise := "2026-11-21 10:00:00 INFO took a Full thread dump of PID 7\n\tat nowhere\n{\"a\": 1}\n#1 \"x\"\n12\n" +
		"Heap\n\n"
	var all bytes.Buffer
	var want []string
	for _, name := range []string{
		"jdk8/mondl-threaddump-l.txt", "jdk21/V-mon-dump_to_file.json", "jdk27/rldl-threaddump-l.txt",
		"jdk25/V-mon-dump_to_file.txt",
		"jdk8/waits-sigquit-stdout.txt", "jdk27/V-pinned-dump_to_file.txt", "jdk27/V-pinned-dump_to_file.json",
		"jdk17/oddnl-threaddump-l-e.txt",
	} {
		b := read(t, "../testdata/dumps/"+name)
		want = append(want, withoutLines(describe([]*Dump{one(t, b)}, nil)))
		all.WriteString(noise)
		if strings.HasPrefix(name, "jdk27/rldl") {
			b = wrapLines(b, wrappings["timestamp"])
		}
		all.Write(append(b, '\n'))
	}
	dumps, err := Parse(all.Bytes())
	if err != nil || len(dumps) != len(want) {
		t.Fatalf("%d dumps, want %d; %v", len(dumps), len(want), err)
	}
	for i, d := range dumps {
		if got := withoutLines(describe([]*Dump{d}, nil)); got != want[i] {
			t.Errorf("dump %d: %s", i, firstDifference(want[i], got))
		}
	}
}

// TestInterleavedLines: an application that writes to the same output costs no
// thread and no frame, and is reported.
func TestInterleavedLines(t *testing.T) {
	eachTextFixture(t, func(t *testing.T, file string, b []byte) {
		if strings.Contains(file, "oddnl") || strings.Contains(file, "sigquit") {
			return
		}
		want := one(t, b)
		mixed := wrapLines(b, func(n int, l string) string {
			if n%7 == 0 {
				return l + "\n2026-11-21 10:00:00 WARN  [pool-3] c.e.Orders - \"quoted\" order 17 is late"
			}
			return l
		})
		got := one(t, mixed)
		if len(got.Problems) == 0 {
			t.Error("no problem reported")
		}
		if len(got.Threads) != len(want.Threads) || len(got.Deadlocks) != len(want.Deadlocks) {
			t.Fatalf("%d threads, %d deadlocks, want %d, %d", len(got.Threads), len(got.Deadlocks), len(want.Threads),
				len(want.Deadlocks))
		}
		for i, th := range got.Threads {
			w := want.Threads[i]
			if th.Name != w.Name || th.TID != w.TID || th.State != w.State || len(th.Stack) != len(w.Stack) ||
				len(th.Locks) != len(w.Locks) {
				t.Errorf("%q has %d frames, %d locks; want %q, %d, %d", th.Name, len(th.Stack), len(th.Locks), w.Name,
					len(w.Stack), len(w.Locks))
			}
		}
	})
}

func TestForeignStackTraceIsNoFrame(t *testing.T) {
	d := one(t, text(
		`"main" #1 prio=5 os_prio=0 tid=0x00007fc9a000a000 nid=0x6560 runnable [0x00007fc9a79fe000]`,
		"   java.lang.Thread.State: RUNNABLE",
		"\tat W.main(W.java:91)",
		"java.lang.IllegalStateException: late",
		"\tat com.example.Orders.take(Orders.java:7)",
		"",
		`"VM Thread" os_prio=0 tid=0x00007fc9a0075000 nid=0x6565 runnable `,
	))
	if len(d.Threads) != 2 || len(d.Threads[0].Stack) != 1 {
		t.Error(describe([]*Dump{d}, nil))
	}
	if len(d.Problems) != 1 || d.Problems[0].Line != 4 ||
		d.Problems[0].Text != "java.lang.IllegalStateException: late" {
		t.Errorf("problems %+v", d.Problems)
	}
}

// TestReadersGiveTheSame: how the bytes arrive does not matter.
func TestReadersGiveTheSame(t *testing.T) {
	for _, name := range []string{"jdk8/oddnl-threaddump-l.txt", "jdk21/oddnl-threaddump-l.txt",
		"jdk25/V-mon-dump_to_file.json"} {
		b := read(t, "../testdata/dumps/"+name)
		want := describe(Parse(b))
		for way, r := range map[string]func() ([]*Dump, error){
			"byte by byte": func() ([]*Dump, error) { return readAll(iotest.OneByteReader(bytes.NewReader(b))) },
			"halves":       func() ([]*Dump, error) { return readAll(iotest.HalfReader(bytes.NewReader(b))) },
			"data and EOF": func() ([]*Dump, error) { return readAll(iotest.DataErrReader(bytes.NewReader(b))) },
		} {
			if got := describe(r()); got != want {
				t.Errorf("%s %s: %s", name, way, firstDifference(want, got))
			}
		}
	}
}
