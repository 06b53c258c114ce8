package analysis

import (
	"net/netip"
	"slices"
)

// hear finds out whether what the thread reads from can be heard at all.
func (f *timeline) hear(w *ioWaiter) {
	if w.op == opRead && f.unheard(w.h) {
		w.unheard = true
		w.from += ", a port of this JVM at which the connection is not accepted"
	}
}

// unheard reports that a thread reads, in every dump, from a connection to a port of this JVM that
// the process has not accepted: the kernel finds no other end in the process, and connections
// wait at that port.
func (f *timeline) unheard(h *history) bool {
	peer, err := netip.ParseAddrPort(f.last().tasks[h.thread.NativeID].Peer)
	if err != nil || !peer.Addr().Unmap().IsLoopback() {
		return false
	}
	waits := func(b Backlog) bool { return b.Port == peer.Port() && len(b.Pending) > 0 }
	return !slices.ContainsFunc(f.snaps, func(s *snapshot) bool {
		task := s.tasks[h.thread.NativeID]
		return task.File != "client-socket" || task.Peer != peer.String() || s.machine == nil ||
			!slices.ContainsFunc(s.machine.Backlogs, waits)
	})
}
