package timeline

import (
	"cmp"

	"jstall/analysis/stack"
)

// AsPrinted is what a dump of HotSpot's own shows of a platform thread that Java code
// lists without its state; nil if there is none, or it is elsewhere there.
func (f *Timeline) AsPrinted(s *Sample) *Sample {
	h := f.printed().History(s)
	if s.Thread.Virtual || s.Wait != stack.WaitUnknown || h == nil || h.Last() == s {
		return nil
	}
	a, b := h.Last().Stack.Application, s.Stack.Application
	if a == nil || b == nil || a.Name() != b.Name() || a.Line != b.Line {
		return nil
	}
	return h.Last()
}

// printed are the facts of what HotSpot printed.
func (f *Timeline) printed() *Timeline { return cmp.Or(f.Beside, f) }

// RestsInNative tells a thread that the JVM calls runnable and that stands in a native
// method, of which nothing says that it waits, over the whole capture with next to no CPU.
func (f *Timeline) RestsInNative(s *Sample) bool {
	h := f.History(s)
	if s.Wait != stack.Running || len(s.Stack.Frames) == 0 || !s.Stack.Frames[0].Native || h == nil || h.Last() != s {
		return false
	}
	const resting = 0.02
	share := h.Share()
	return share.Known && share.Value < resting && len(h.Samples) == len(f.Snaps) && !f.Moved(h.Samples)
}
