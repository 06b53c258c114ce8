package threaddump

import (
	"bytes"
	"regexp"
	"sync"
)

// ForeignError reports that the input is the dump of something else than a HotSpot JVM. It is
// ErrNoDump too.
type ForeignError struct {
	// What it is, in words that complete "it is"; Tool is what to do with it.
	What, Tool string
}

func (e *ForeignError) Error() string   { return "no thread dump: it is " + e.What }
func (e *ForeignError) Is(t error) bool { return t == ErrNoDump }

// foreignDump is a kind of dump that is not read, with the texts of which each is proof.
type foreignDump struct {
	ForeignError
	marks []string
	// shape is an expression that is proof too, empty for none.
	shape string
}

// foreignDumps are tried in this order. The marks are lines that each tool prints whatever
// the program, so that an excerpt is known too.
var foreignDumps = [...]foreignDump{
	{ForeignError{"a javacore of OpenJ9 (IBM J9)", "open it with IBM's Thread and Monitor Dump Analyzer (TMDA)"},
		[]string{
			"0SECTION ", "1TISIGINFO", "1XMTHDINFO", "3XMTHREADINFO", "4XESTACKTRACE", "J9VMThread:", "1LKDEADLOCK",
			"2LKMONINUSE", "3LKMONOBJECT", "1LKPOOLINFO", "2XMFULLTHDDUMP", "sys_thread_t:0x",
		}, ``},
	{sapDump, []string{"Full Thread Dump SAP Java", "Full Thread Dump JVMX", "Full thread dump SAP Java"},
		`(?m)^".*" .*\bcpu=\S+ \[reset \S+\] ms allocated=`},
	{
		ForeignError{
			"a thread dump of a native image (GraalVM), which has another format and no locks",
			"read it as it is; gdb -p PID -batch -ex 'thread apply all bt' shows the native stacks of a running one",
		},
		[]string{"Full thread dump:\n\n\"", "Substrate VM", " state=STATUS_IN_"},
		`(?m)^".*" #\d+( daemon)? thread=0x[0-9a-f]+`,
	},
	{ForeignError{"a thread dump of JRockit", "open it with JRockit Mission Control"},
		[]string{"JRockit", "===== FULL THREAD DUMP =====", "jrockit/vm/"}, ``},
	{
		ForeignError{
			"an ANR trace of Android (ART or Dalvik, not HotSpot)",
			"open it with Android Studio, or upload it to the Play Console",
		},
		[]string{
			"DALVIK THREADS", "suspend all histogram", "| sysTid=", "| group=\"main\" sCount=", "ANR in ",
			"Build fingerprint:", "com.android.internal.os.ZygoteInit",
		},
		``,
	},
	{
		ForeignError{
			"a dump of goroutines of a Go program",
			"read it with panicparse (go run github.com/maruel/panicparse/v2@latest FILE)",
		},
		[]string{"all goroutines are asleep", "goroutine profile: total"},
		`(?m)^\W*goroutine \d+ (gp=\S+ m=\S+ (mp=\S+ )?)?\[[a-z]`,
	},
	{ForeignError{"a stack dump of .NET", "read it with dotnet-dump analyze (clrstack -all), or dotnet-stack report"},
		[]string{
			"OS Thread Id: 0x", "Child SP               IP", "System.Private.CoreLib", "   at System.Threading.",
			"[ManagedToUnmanaged]", "   at System.",
		}, `(?m)^\s+at \S+\(.*\) in \S+\.(cs|vb|fs):line \d+`},
	{ForeignError{"a stack dump of Python", "read it as it is; py-spy dump --pid PID shows a running process"},
		[]string{
			"Traceback (most recent call last)", "(most recent call first):", "Fatal Python error",
			"threading.py\", line ",
		}, `(?m)^\s*File "[^"]+", line \d+|^Python v\d|^Thread \d+ \([a-z+]+\): "|^\s+\S+ \(\S+\.py:\d+\)`},
	{
		ForeignError{
			"a stack trace or report of Node.js",
			"read it as it is; node --inspect and Chrome's DevTools show a running process",
		},
		[]string{"node:internal/", "<--- JS stacktrace --->", "<--- Last few GCs --->", "\"nodejsVersion\""},
		`(?m)^\s+at .*\(?\S+\.(js|mjs|cjs|ts):\d+:\d+\)?`,
	},
	{ForeignError{"a backtrace of Ruby", "read it as it is; rbspy snapshot --pid PID shows a running process"},
		[]string{"-- Control frame information", "-- Ruby level backtrace information"}, "(?m)\\.rb:\\d+:in [`']"},
	{ForeignError{"a backtrace of Rust", "read it as it is"},
		[]string{"stack backtrace:\n   0:"}, `(?m)^thread '[^']*' (\(\d+\) )?panicked at`},
	{
		ForeignError{
			"hot_threads of Elasticsearch, samples of its busiest threads",
			"read it as it is; jstall PID on that node says the state of all threads of its JVM",
		},
		[]string{"Hot threads at ", "snapshots sharing following"},
		`(?m)cpu usage by thread '`,
	},
	{
		ForeignError{
			"a list of native frames (pstack, gdb) without Java frames",
			"jstall PID shows the Java frames of a running JVM",
		},
		[]string{"Program received signal", "[New LWP "},
		`(?m)^#\d+\s+(0x[0-9a-f]+ in )?\S+ \(.*\)|^#\d+\s+0x[0-9a-f]+|^Thread \d+ \((Thread 0x|LWP )`,
	},
	{
		ForeignError{
			"a sample of native frames (macOS)",
			"jstall reads thread dumps of Java: the JVM writes one to its standard output on kill -QUIT PID",
		},
		[]string{"Analysis of sampling ", "Call graph:\n"},
		``,
	},
	{
		ForeignError{
			"a copy of Eclipse's Debug view, which has no packages of classes and no locks",
			"jstall PID shows the stacks, states and locks of the running JVM",
		},
		nil, `(?m)^\W*[\w$<>.]+(\([\w$<>.]+\))?\.[\w$<>]+(\(.*\))? line: (\d+|not available)`,
	},
	{ForeignError{"a crash dump of Erlang", "read it with crashdump_viewer"}, []string{"=erl_crash_dump"}, ``},
}

// sapDump is recognised by its head, which is HotSpot's or nearly so, and by its headers: a name and cpu=4520.00 [reset
// 4520.00] ms.
var sapDump = ForeignError{
	"a thread dump of SAP's JVM, which has another format",
	"open it with SAP's JVM Profiler, or the SAP Management Console",
}

// hpDump is recognised by its headers: "main" prio=8 tid=0000… nid=1 lwp_id=12345 runnable.
var hpDump = &ForeignError{
	"a thread dump of HP's JVM for HP-UX, which has another format", "open it with HPjmeter",
}

const hpText = " lwp_id="

// refuses recognises a header of another vendor's JVM, which reads nearly as HotSpot's does; nil otherwise.
func refuses(header []byte) *ForeignError {
	switch {
	case bytes.Contains(header, []byte(hpText)):
		return hpDump
	case bytes.Contains(header, []byte("] ms allocated=")) && bytes.Contains(header, []byte(" [reset ")):
		return &sapDump
	}
	return nil
}

var foreignShapes = sync.OnceValue(func() []*regexp.Regexp {
	shapes := make([]*regexp.Regexp, len(foreignDumps))
	for i, d := range foreignDumps {
		if d.shape != "" {
			shapes[i] = regexp.MustCompile(d.shape)
		}
	}
	return shapes
})

// foreignOf returns what a text is the dump of, nil if it is not a known one.
func foreignOf(head []byte) *ForeignError {
	for i := range foreignDumps {
		d := &foreignDumps[i]
		for _, mark := range d.marks {
			if bytes.Contains(head, []byte(mark)) {
				return &d.ForeignError
			}
		}
		if shape := foreignShapes()[i]; shape != nil && shape.Match(head) {
			return &d.ForeignError
		}
	}
	return nil
}
