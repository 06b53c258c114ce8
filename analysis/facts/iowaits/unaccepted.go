package iowaits

import (
	"net/netip"
	"slices"

	"jstall/analysis/timeline"
)

// isUnaccepted reports that a thread reads, in every dump, from a loopback connection to a port at which the kernel
// shows connections that this JVM has not accepted yet.
func isUnaccepted(f *timeline.Timeline, h *timeline.History) bool {
	peer, err := netip.ParseAddrPort(f.Last().Tasks[h.Thread.NativeID].Peer)
	if err != nil || !peer.Addr().Unmap().IsLoopback() {
		return false
	}
	waits := func(b timeline.Backlog) bool { return b.Port == peer.Port() && len(b.Pending) > 0 }
	return !slices.ContainsFunc(f.Snaps, func(s *timeline.Snapshot) bool {
		task := s.Tasks[h.Thread.NativeID]
		return task.File != "client-socket" || task.Peer != peer.String() || s.Machine == nil ||
			!slices.ContainsFunc(s.Machine.Backlogs, waits)
	})
}
