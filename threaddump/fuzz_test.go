package threaddump

import (
	"bytes"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/jstall/jstall/internal/plaintext"
)

// headerMarks are in whatever could be the header of a thread in any form, wrapped or not; each may be decoded out of a
// JSON line and be counted there.
var headerMarks = []string{
	"id=", "Id=", `"tid"`, `"threadId"`, "#", "prio=", "Thread ", "[Internal]", "qtp", `":`, "held by", `\u`, "&", "<", "\x00",
}

// headersAtMost is how many headers of threads a text may have.
func headersAtMost(b []byte) (n int) {
	for _, mark := range headerMarks {
		n += bytes.Count(b, []byte(mark))
	}
	return n
}

// lineBreaks undoes what JSON makes of them.
var lineBreaks = strings.NewReplacer("\r", "\n", `\r`, "\n", `\n`, "\n")

// stacksAtMost is how many runs of frames and their locks a text may have: the frames of a thread follow one another,
// and a line that is not a frame, such as its state or an empty one, is before those of the next.
func stacksAtMost(t *testing.T, b []byte) int {
	t.Helper()
	plain, err := io.ReadAll(plaintext.NewReader(bytes.NewReader(b)))
	if err != nil {
		t.Fatal(err)
	}
	n, inStack := bytes.Count(plain, []byte(`\u`)), false
	for line := range strings.Lines(lineBreaks.Replace(string(plain))) {
		part := strings.Contains(line, "at ") && !strings.Contains(line, string(stateText)) ||
			inStack && strings.Contains(line, "- ")
		if part && !inStack {
			n++
		}
		inStack = part
	}
	return n
}

// addForms adds dumps of every form as seeds.
func addForms(f *testing.F) {
	f.Helper()
	for _, file := range fixtures(f) {
		if b := read(f, file); isDumpFile(file) && len(b) < 16<<10 {
			f.Add(b)
		}
	}
	small := read(f, "../testdata/dumps/jdk21/V-pinned-threaddump-l.txt")
	for _, wrap := range wrappings {
		f.Add(wrapLines(small, wrap))
	}
	for _, name := range forgeries(jdk8Header) {
		f.Add([]byte(jdk8Head + jdk8Header(name, 12, 0x7ff1a40e49c0) + body + vmThread))
	}
	for _, text := range blocked {
		f.Add([]byte(text))
	}
	for text := range foreignSamples {
		f.Add([]byte(text))
	}
	for _, text := range []string{jdk5, jdk7, apple6} {
		f.Add([]byte(text))
		for _, name := range []string{"UTF-16LE", "HTML with breaks", "wrapped at blanks", "quoted"} {
			f.Add([]byte(copies[name](text)))
		}
	}
	f.Add([]byte(platformDump + trailer + sectionText))
	f.Add([]byte(bareState + bareFrame))
	for _, c := range stacksWithoutHeaders {
		f.Add([]byte(c.text))
	}
}

func FuzzParse(f *testing.F) {
	addForms(f)
	f.Fuzz(func(t *testing.T, b []byte) {
		before := bytes.Clone(b)
		dumps, err := Parse(b)
		if !bytes.Equal(b, before) {
			t.Fatal("Parse changed its input")
		}
		if (len(dumps) == 0) != (err != nil) {
			t.Fatalf("%d dumps and error %v", len(dumps), err)
		}
		checkLines(t, b, dumps)
		checkHeaders(t, b, dumps)
		want := describe(dumps, err)
		if got := describe(readAll(iotest.HalfReader(bytes.NewReader(b)))); got != want {
			t.Fatalf("read in halves: %s", firstDifference(want, got))
		}
	})
}

// checkHeaders holds that a thread has its own header, or its own frames.
func checkHeaders(t *testing.T, b []byte, dumps []*Dump) {
	headed, bare := 0, 0
	for _, d := range dumps {
		checkThreads(t, d)
		for _, th := range d.Threads {
			if th.Name != headerMissing {
				headed++
			} else if bare++; len(th.Stack) == 0 {
				t.Fatalf("line %d: a thread that has neither header nor frames", th.Line)
			}
		}
	}
	if most := headersAtMost(b); headed > most {
		t.Fatalf("%d threads of %d headers", headed, most)
	}
	if bare > 0 {
		if most := stacksAtMost(t, b); bare > most {
			t.Fatalf("%d threads without header of %d stacks", bare, most)
		}
	}
}

// checkDepths holds that locks are at frames of their stack, or at none: -1.
func checkDepths(t *testing.T, locks []Lock, stack []*Frame) {
	for _, l := range locks {
		if l.Depth < -1 || l.Depth >= len(stack) {
			t.Fatalf("%+v", l)
		}
	}
}

// checkThreads holds what is true of any parse.
func checkThreads(t *testing.T, d *Dump) {
	for _, th := range d.Threads {
		if th == nil || th.Role().String() == "" {
			t.Fatal("no thread")
		}
		for _, f := range append(append([]*Frame(nil), th.Stack...), th.MountedStack...) {
			if f == nil || !strings.Contains(f.Text, f.Class) || !strings.Contains(f.Text, f.Method) || f.Line < 0 {
				t.Fatalf("%+v", f)
			}
		}
		checkDepths(t, th.Locks, th.Stack)
		checkDepths(t, th.MountedLocks, th.MountedStack)
	}
	if len(d.Problems) > maxProblems {
		t.Fatalf("%d problems", len(d.Problems))
	}
}

func FuzzParseVirtual(f *testing.F) {
	f.Add([]byte(sectionText))
	f.Add([]byte(sectionText + platformDump + sectionText))
	f.Fuzz(func(t *testing.T, b []byte) {
		before := bytes.Clone(b)
		d, err := ParseVirtual(b)
		if !bytes.Equal(b, before) || d == nil && err == nil {
			t.Fatal("ParseVirtual changed its input, or gave nothing")
		}
		if d == nil {
			return
		}
		checkThreads(t, d)
		for _, th := range d.Threads {
			if !th.Virtual || th.ID == 0 || th.TID != 0 || th.NativeID != 0 || th.CPU.Known {
				t.Fatalf("%+v", th)
			}
		}
		if len(d.Threads) > bytes.Count(b, []byte(" virtual ")) || !d.VirtualListed {
			t.Fatalf("%d threads", len(d.Threads))
		}
	})
}
