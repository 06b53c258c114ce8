package virtual

import (
	"slices"

	"github.com/jstall/jstall/internal/hotspot/thread"
	"github.com/jstall/jstall/internal/hotspot/vthread"
)

// withRest are the frames of a mounted thread on the stack of its carrier, and those in the heap; false if they are not
// from the same moment. A thread that has been unmounted in between, and is mounted again on the same carrier, has
// other frames in the heap. So the stack is read between two readings of the heap, which must be the same; and the last
// frame on the stack must be one that the first in the heap has called.
func (a *assembler) withRest(t *Thread, n int) ([]thread.Frame, bool) {
	c := a.platform[n]
	rest, ok := a.read.Rest(t.Thread)
	if !a.Stopped() {
		before := rest
		if c = a.look(c); c.OnStack == 0 || !c.RestInHeap || c.Carries != 0 && c.Carries != t.ID {
			return nil, false
		}
		a.platform[n] = c
		after, still := a.read.Rest(t.Thread)
		ok, rest = ok && still && after.Same(before) && a.called(after, c), after
	}
	frames, whole := a.onCarrier(t, c)
	if !ok || !whole || !vthread.Whole(rest.Lines) {
		return frames, false
	}
	for _, line := range rest.Lines {
		if !line.Hidden {
			frames = append(frames, thread.Frame{Text: line.Text})
		}
	}
	return frames, true
}

// look reads a carrier as it is now, from a sample if it runs.
func (a *assembler) look(c *thread.Thread) *thread.Thread {
	again := a.ReadAgain(c)
	if !again.Runs() || a.registers == nil || a.sampling.Err() != nil {
		return again
	}
	if a.Sample(a.sampling, []*thread.Thread{again}, a.registers) == nil {
		a.TearChanged([]*thread.Thread{again})
	}
	return again
}

// called reports that the first frame in the heap may have called the last one on the stack.
func (a *assembler) called(rest *vthread.Rest, c *thread.Thread) bool {
	return slices.ContainsFunc(rest.Callees, func(k vthread.Key) bool {
		if k.Method != 0 && k.Method == c.LastOnStack {
			return true
		}
		b := a.BlobAt(k.PC & a.Processor.CodeAddress)
		return k.PC != 0 && b != nil && b.Nmethod != nil && b.Nmethod.MethodAt == c.LastOnStack
	})
}
