package virtual

import (
	"github.com/jstall/jstall/internal/hotspot/object"
	"github.com/jstall/jstall/internal/hotspot/thread"
	"slices"
	"strings"
)

// joined sets the thread whose end a thread waits for.
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

// joins reports whether a thread is in Thread.join.
func joins(t *Thread) bool {
	const top = 12
	return slices.ContainsFunc(t.Frames[:min(top, len(t.Frames))], func(f thread.Frame) bool {
		return strings.HasPrefix(f.Text, "java.lang.Thread.join(") ||
			strings.HasPrefix(f.Text, "java.lang.VirtualThread.joinNanos(")
	})
}

// latchSync is the class of the object that a thread parks for when it waits for a CountDownLatch.
const latchSync = "java.util.concurrent.CountDownLatch$Sync"

// EndsOf returns the ids of virtual threads by the object that other threads park for when they wait for the end of the
// thread. That object is in the latch of the thread; latches has the ids by latch.
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
