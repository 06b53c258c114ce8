package threaddump

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
)

// TestRunsOfFramesAreReadLineByLine: frames that are taken at once because they were
// under each other before are those that reading each line gives. Lines that end in CR
// LF are always read one by one.
func TestRunsOfFramesAreReadLineByLine(t *testing.T) {
	text := dumpOfRuns(400)
	want, err := Parse(bytes.ReplaceAll(text, []byte("\n"), []byte("\r\n")))
	if err != nil {
		t.Fatal(err)
	}
	in := NewInterner()
	got, err := Parse(text, WithInterner(in))
	if err != nil {
		t.Fatal(err)
	}
	kept := slices.ContainsFunc(in.frames.runs, func(r frameRun) bool { return r.text != "" })
	if !kept || len(got) != 1 || len(want) != 1 || len(got[0].Problems) < 50 {
		t.Fatal(kept, len(got), len(want), len(got[0].Problems))
	}
	if a, b := fmt.Sprint(got[0].Problems), fmt.Sprint(want[0].Problems); a != b {
		t.Errorf("problems %s, not %s", a, b)
	}
	for i, th := range want[0].Threads {
		if a, b := linesOf(got[0].Threads[i]), linesOf(th); a != b {
			t.Fatalf("thread %d is\n%s\nnot\n%s", i, a, b)
		}
	}
}

// dumpOfRuns makes threads of a few stacks that share their middle; some have a lock
// in it, and some a line that is not a frame.
func dumpOfRuns(threads int) []byte {
	r := rand.New(rand.NewPCG(1, 2))
	var b bytes.Buffer
	b.WriteString(jdk8Head)
	for i := range threads {
		b.WriteString(jdk8Header("t", 28+i, 0x7f0ccc187800+uint64(i)<<12))
		b.WriteString("\n   java.lang.Thread.State: RUNNABLE\n")
		top, locked, odd := r.IntN(3), r.IntN(12), r.IntN(36)
		if i > threads-6 {
			top, locked, odd = 0, 10, 9 // equal, and wrong each time
		}
		for depth := range 10 {
			fmt.Fprintf(&b, "\tat a.Layer%d.call(Layer.java:%d)\n", depth, max(0, top-depth))
			switch depth {
			case locked:
				fmt.Fprintf(&b, "\t- locked <0x%016x> (a a.Lock)\n", 0x69ec00000+16*i)
			case odd:
				b.WriteString("\tat a.Layer\n")
			}
		}
		b.WriteByte('\n')
	}
	return b.Bytes()
}

func linesOf(t *Thread) string {
	s := fmt.Sprint(t.Line, t.StackLine, t.State)
	for _, f := range t.Stack {
		s += "\n" + f.Text
	}
	for _, l := range t.Locks {
		s += fmt.Sprintf("\n%+v", l)
	}
	return s
}
