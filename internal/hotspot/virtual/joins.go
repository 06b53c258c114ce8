package virtual

import (
	"github.com/jstall/jstall/internal/hotspot/object"
	"github.com/jstall/jstall/internal/hotspot/thread"
	"slices"
	"strings"
)

// joined notes, of a thread that waits for the end of another one, whose end that is.
func (a *assembler) joined(t *Thread) {
	w := t.Waits
	if w == nil || w.OwnerID != 0 || !joins(t) {
		return
	}
	own := *w
	switch {
	case w.Kind == thread.InWait && a.IsA(w.Object.Address, "java.lang.Thread"):
		own.OwnerID = a.Reader.ThreadID(w.Object.Address)
	case w.Kind == thread.Parked && w.Object.Class == latchSync:
		if a.ends == nil {
			a.ends = EndsOf(&a.Reader.Reader.Reader, a.read.Ends())
		}
		own.OwnerID = a.ends[w.Object.Address]
	}
	t.Waits = &own
}

// joins reports a thread in Thread.join.
func joins(t *Thread) bool {
	const top = 12
	return slices.ContainsFunc(t.Frames[:min(top, len(t.Frames))], func(f thread.Frame) bool {
		return strings.HasPrefix(f.Text, "java.lang.Thread.join(") ||
			strings.HasPrefix(f.Text, "java.lang.VirtualThread.joinNanos(")
	})
}

// latchSync is the class of what threads park for that wait for a CountDownLatch.
const latchSync = "java.util.concurrent.CountDownLatch$Sync"

// EndsOf are the ids of virtual threads by what those park for that wait for their end, which is in the latches of
// these threads.
func EndsOf(r *object.Reader, latches map[uint64]int64) map[uint64]int64 {
	ends := make(map[uint64]int64, len(latches))
	for latch, id := range latches {
		r.Objects.KeepFew()
		if sync, ok := r.ReferenceField(latch, "sync"); ok && sync != 0 {
			ends[sync] = id
		}
	}
	return ends
}
