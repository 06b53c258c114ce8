package threaddump

import (
	"bytes"
	"fmt"
	"io"
	"runtime"
	"testing"
	"unsafe"
)

func TestEqualFramesAndStacksAreOne(t *testing.T) {
	b := read(t, "../testdata/dumps/jdk21/waits-threaddump-l.txt")
	byText := map[string]*Frame{}
	stacks := map[string]**Frame{} // arrays differ by their first element
	in := NewInterner()
	for range 2 { // two readers of one series
		dumps, err := Parse(append(bytes.Clone(b), b...), WithInterner(in))
		if err != nil || len(dumps) != 2 {
			t.Fatal(len(dumps), err)
		}
		for _, d := range dumps {
			for _, th := range d.Threads {
				key := ""
				for _, f := range th.Stack {
					if known, ok := byText[f.Text]; ok && known != f {
						t.Fatalf("two frames of %s", f.Text)
					}
					byText[f.Text] = f
					key += f.Text + "\n"
				}
				if len(th.Stack) == 0 {
					continue
				}
				if known, ok := stacks[key]; ok && known != &th.Stack[0] {
					t.Fatalf("two arrays of the stack of %s", th.Name)
				}
				stacks[key] = &th.Stack[0]
			}
		}
	}
	if len(byText) < 50 || len(stacks) < 20 {
		t.Error(len(byText), len(stacks))
	}
}

// TestForgettingKeepsNeighbours: what two dumps one after the other share stays
// shared however small the memory is; what was not seen for long is forgotten.
func TestForgettingKeepsNeighbours(t *testing.T) {
	in := NewInterner()
	in.limit = 20
	parse := func(class string) *Frame {
		var b bytes.Buffer
		b.WriteString(jdk8Head)
		for i := range 30 {
			b.WriteString(jdk8Header("t", 28+i, 0x7f0ccc187800+uint64(i)<<12))
			fmt.Fprintf(&b,
				"\n   java.lang.Thread.State: RUNNABLE\n\tat %s%d.run(A.java:1)\n\tat always.Same.run(A.java:1)\n\n",
				class, i)
		}
		dumps, err := Parse(b.Bytes(), WithInterner(in))
		if err != nil || len(dumps[0].Threads) != 30 {
			t.Fatal(err)
		}
		f := dumps[0].Threads[0].Stack[1]
		for _, th := range dumps[0].Threads {
			if th.Stack[1] != f {
				t.Fatal("two frames of one text in one dump")
			}
		}
		return f
	}
	first := parse("a.A")
	for i := range 5 {
		if again := parse(fmt.Sprintf("b%d.B", i)); again != first {
			t.Fatalf("dump %d has another frame than the one before", i)
		}
	}
	if n := len(in.frames.entries) + len(in.oldFrames.entries); n > 100 {
		t.Errorf("%d frames are remembered", n)
	}
}

// TestMemoryStaysBounded streams dumps that are thrown away.
func TestMemoryStaysBounded(t *testing.T) {
	text := bigDump(2000, true, 1)
	pr, pw := io.Pipe()
	const dumps = 40 // 70 MB
	go func() {
		for range dumps {
			_, _ = pw.Write(text)
		}
		_ = pw.Close()
	}()
	r := NewReader(pr)
	var stats runtime.MemStats
	for n := 0; ; n++ {
		d, err := r.Next()
		if err == io.EOF {
			if n != dumps {
				t.Errorf("%d dumps", n)
			}
			break
		}
		if len(d.Threads) != 2000 {
			t.Fatal(len(d.Threads))
		}
	}
	runtime.GC()
	runtime.ReadMemStats(&stats)
	if stats.HeapAlloc > 40<<20 {
		t.Errorf("%d MB in use", stats.HeapAlloc>>20)
	}
	runtime.KeepAlive(r)
}

// TestNamesShareTheirMemory: also where threads have come and gone since the dump
// before, and where names are decoded.
func TestNamesShareTheirMemory(t *testing.T) {
	in := NewInterner()
	parse := func(names ...string) *Dump {
		var b bytes.Buffer
		b.WriteString(jdk8Head)
		for i, name := range names {
			b.WriteString(
				jdk8Header(name, 28+i, 0x7f0ccc187800+uint64(i)<<12) + "\n   java.lang.Thread.State: RUNNABLE\n\n")
		}
		dumps, err := Parse(b.Bytes(), WithInterner(in))
		if err != nil || len(dumps[0].Threads) != len(names) {
			t.Fatal(err)
		}
		return dumps[0]
	}
	before := parse("a-1", "b-1", "gone", "b-1", "nul\xc0\x80", "last")
	after := parse("new", "a-1", "b-1", "b-1", "newer", "nul\xc0\x80", "last")
	for i, was := range map[int]int{1: 0, 2: 1, 3: 3, 5: 4, 6: 5} {
		old, now := before.Threads[was].Name, after.Threads[i].Name
		if now != old || unsafe.StringData(now) != unsafe.StringData(old) {
			t.Errorf("%q is another copy of %q", now, old)
		}
	}
	if got := after.Threads[5].Name; got != "nul\x00" {
		t.Errorf("%q", got)
	}
}
