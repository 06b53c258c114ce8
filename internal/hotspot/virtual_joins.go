package hotspot

import (
	"slices"
	"strings"

	"jstall/internal/hotspot/vthread"
)

// joined notes, of a thread that waits for the end of another one, whose end that is.
func (a *virtualAssembler) joined(t *VirtualThread) {
	w := t.Waits
	if w == nil || w.OwnerID != 0 || !joins(t) {
		return
	}
	own := *w
	switch {
	case w.Kind == InWait && a.isA(w.Object.Address, "java.lang.Thread"):
		own.OwnerID = a.threadID(w.Object.Address)
	case w.Kind == Parked && w.Object.Class == latchSync:
		if a.ends == nil {
			a.ends = a.endsOf(a.read.Threads, a.Current)
		}
		own.OwnerID = a.ends[w.Object.Address]
	}
	t.Waits = &own
}

// joins reports a thread in Thread.join.
func joins(t *VirtualThread) bool {
	const top = 12
	return slices.ContainsFunc(t.Frames[:min(top, len(t.Frames))], func(f Frame) bool {
		return strings.HasPrefix(f.Text, "java.lang.Thread.join(") ||
			strings.HasPrefix(f.Text, "java.lang.VirtualThread.joinNanos(")
	})
}

// latchSync is the class of what threads park for that wait for a CountDownLatch.
const latchSync = juc + "CountDownLatch$Sync"

// mostEnds bounds the virtual threads whose latches are looked at.
const mostEnds = 100_000

// endsOf are the ids of virtual threads by what those park for that wait for their end: a CountDownLatch that a
// thread has from the first join on. current is where an object is by now.
func (r *reader) endsOf(threads []*vthread.Thread, current func(uint64) uint64) map[uint64]int64 {
	ends := map[uint64]int64{}
	for _, t := range threads[:min(mostEnds, len(threads))] {
		r.objects.keepFew()
		latch, ok := r.referenceField(current(t.Object), "termination")
		if !ok || latch == 0 {
			continue
		}
		if sync, ok := r.referenceField(latch, "sync"); ok && sync != 0 {
			ends[sync] = t.ID
		}
	}
	return ends
}
