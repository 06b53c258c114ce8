package analysis

import (
	"net/netip"
	"slices"
)

// ceasedToRead is the thread that should read at a port of the process, and does not: what
// threads of this JVM have sent there stays unread, and they wait for the answer. Nil if
// there are several such threads or none.
//
// Rule: two threads or more stand in a read from one port of this JVM, and in every dump what
// they have sent was not read. One other thread of the program stands in the middle of
// something, in a sleep or a wait without end that is not for the clients: not for the end
// of threads, for a count, nor, if they are tasks, for a result. Everybody else has nothing
// to do, reads from another connection that was accepted, or asks this JVM as well: a busy
// thread may be about to read, but for one that had nothing to do in another dump.
func (f *facts) ceasedToRead() (*history, waitingPort) {
	port := f.unreadPort()
	if port.pending < 2 || !f.lasts() || !f.last().closed() {
		return nil, waitingPort{}
	}
	var server *history
	for _, h := range f.alive() {
		s := h.last()
		if f.standsAtRequest(h) || !s.waits() || s.timed() && s.Stack.op.kind != opSleep || !f.mayServe(h) || port.mayBeAwaitedBy(s) {
			continue
		}
		if server != nil {
			return nil, waitingPort{}
		}
		server = h
	}
	if server == nil || f.somebodyAnswers(func(h *history) bool { return h == server || f.standsAtRequest(h) || h.rested() }) {
		return nil, waitingPort{}
	}
	return server, port
}

// mayBeAwaitedBy reports that a thread may wait for those that ask.
func (p waitingPort) mayBeAwaitedBy(s *Sample) bool {
	switch s.Stack.op.kind {
	case opJoin, opTermination, opLatch, opBarrier:
		return true
	case opResult:
		return slices.ContainsFunc(p.asking, func(h *history) bool { return isTask(h.last().Stack) })
	}
	return false
}

// unreadPort is the port of this JVM with most threads that wait for an answer there, and
// whose requests nobody has read in any dump; those who wait there are all that do.
func (f *facts) unreadPort() waitingPort {
	asking, unread := map[string][]*history{}, map[string]int{} // by the other end
	best := ""
	for _, h := range f.alive() {
		peer := f.last().tasks[h.thread.NativeID].Peer
		if peer == "" || !f.standsAsking(h) {
			continue
		}
		asking[peer] = append(asking[peer], h)
		if f.unreadThroughout(h, peer) {
			unread[peer]++
		}
		if unread[peer] > unread[best] {
			best = peer
		}
	}
	at, err := netip.ParseAddrPort(best)
	if err != nil {
		return waitingPort{}
	}
	return waitingPort{port: at.Port(), pending: unread[best], asking: asking[best]}
}

func (f *facts) unreadThroughout(h *history, peer string) bool {
	return !slices.ContainsFunc(f.snaps, func(s *snapshot) bool {
		task := s.tasks[h.thread.NativeID]
		return task.File != unreadOwnSocket || task.Peer != peer
	})
}

// standsAtRequest tells a thread that waits over the whole look for what a connection
// brings that was accepted.
func (f *facts) standsAtRequest(h *history) bool {
	return f.last().tasks[h.thread.NativeID].File == "accepted-socket" && h.last().Stack.op.kind == opRead && f.standsStill(h)
}

// rested tells a thread that had nothing to do in one of the dumps.
func (h *history) rested() bool {
	return slices.ContainsFunc(h.samples, func(s *Sample) bool { return s.resting() != nil })
}
