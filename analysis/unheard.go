package analysis

import (
	"net/netip"
	"slices"
)

// hear finds out whether what the thread reads from can be heard at all.
func (f *facts) hear(w *ioWaiter) {
	if w.op == opRead && f.unheard(w.h) {
		w.unheard = true
		w.from += ", where this JVM itself listens and nobody accepts"
	}
}

// unheard reports that a thread reads from a connection to a port of this very JVM at which
// connections waited in every dump and none was accepted.
func (f *facts) unheard(h *history) bool {
	task := f.last().tasks[h.thread.NativeID]
	peer, err := netip.ParseAddrPort(task.Peer)
	if err != nil || !task.isClient() || !peer.Addr().Unmap().IsLoopback() {
		return false
	}
	waits := func(b Backlog) bool { return b.Port == peer.Port() && b.Open == 0 && len(b.Pending) > 0 }
	return !slices.ContainsFunc(f.snaps, func(s *snapshot) bool {
		return s.machine == nil || !slices.ContainsFunc(s.machine.Backlogs, waits)
	})
}
