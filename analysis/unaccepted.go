package analysis

import (
	"fmt"
	"net/netip"
	"slices"

	"jstall/threaddump"
)

// waitingPort is a port of the process at which nobody accepted over the look, or read
// what came in.
type waitingPort struct {
	port uint16
	// pending counts connections that have waited there ever since the first dump.
	pending int
	// asking are the threads of this JVM that wait for an answer to what was not read, nil
	// where connections are not accepted.
	asking []*history
}

// unaccepted are the ports at which the same connections waited in every dump,
// though others were accepted there before and are still open: whoever accepts has
// ceased to. A port that is only bound, or whose connections never were anybody's
// concern, has no others.
func (f *facts) unaccepted() []waitingPort {
	if !f.lasts() || f.last().machine == nil {
		return nil
	}
	var ports []waitingPort
	for _, b := range f.last().machine.Backlogs {
		pending := slices.Clone(b.Pending)
		for _, s := range f.snaps {
			pending = slices.DeleteFunc(pending, func(peer netip.AddrPort) bool { return !s.machine.waits(b.Port, peer) })
		}
		if len(pending) > 0 {
			ports = append(ports, waitingPort{port: b.Port, pending: len(pending)})
		}
	}
	return ports
}

// waits reports that a connection is open at a port and another waits there.
func (m *Machine) waits(port uint16, peer netip.AddrPort) bool {
	return m != nil && slices.ContainsFunc(m.Backlogs, func(b Backlog) bool {
		return b.Port == port && b.Open > 0 && slices.Contains(b.Pending, peer)
	})
}

// deafServer is the thread that should accept at a port where connections wait, and
// does something else: one that stands, with a call under way in what it was started
// with or at a connection that was accepted, and that is no client of that port
// itself. Nil if there are several such threads or none: no dump tells whose the
// port is.
func (f *facts) deafServer() (*history, waitingPort) {
	ports := f.unaccepted()
	if len(ports) == 0 {
		return nil, waitingPort{}
	}
	var server *history
	for _, h := range f.alive() {
		if !f.mayServe(h) || f.callsOneOf(h, ports) {
			continue
		}
		if server != nil {
			return nil, waitingPort{}
		}
		server = h
	}
	return server, ports[0]
}

// mayServe tells threads of the program that stand in the middle of something.
func (f *facts) mayServe(h *history) bool {
	s := h.last()
	if h.thread.Role != threaddump.Application || s.carrier != 0 || s.Stack.Application == nil || s.resting() != nil || !f.standsStill(h) {
		return false
	}
	onConnection := f.last().tasks[h.thread.NativeID].File == "accepted-socket"
	return onConnection || len(inner(s.Stack.program())) > 1 && !pausesInMain(s.Stack)
}

// callsOneOf tells a client, in this JVM, of one of the ports.
func (f *facts) callsOneOf(h *history, ports []waitingPort) bool {
	task := f.last().tasks[h.thread.NativeID]
	peer, err := netip.ParseAddrPort(task.Peer)
	return err == nil && task.isClient() && slices.ContainsFunc(ports, func(p waitingPort) bool {
		return p.port == peer.Port()
	})
}

func (p waitingPort) serves() string {
	if len(p.asking) > 0 {
		return fmt.Sprintf("alone is left to read what has come in at port %d, where %s for an answer", p.port, p.wait())
	}
	return fmt.Sprintf("alone is left to accept connections at port %d, where %s", p.port, p.wait())
}

func (p waitingPort) wait() string {
	return Counted(p.pending, "connection") + " " + verb(p.pending, "waits", "wait")
}

func (p waitingPort) evidence(dumps int) Evidence {
	if len(p.asking) > 0 {
		return figure(fmt.Sprintf("what %d threads of this JVM have sent to port %d of it was still unread in each of %d dumps", p.pending, p.port, dumps))
	}
	return figure(fmt.Sprintf("%d of the connections in the queue of port %d are the same in each of %d dumps: nobody accepts",
		p.pending, p.port, dumps))
}

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
