package analysis

import (
	"slices"
	"strings"
	"sync"
	"time"

	"jstall/threaddump"
)

// outsiders are the threads beside executors that are stuck, by what they may do for these.
// They are looked through once for all executors, of which there may be thousands.
type outsiders struct {
	facts *facts
	// free have something to do that none of the stuck decides, and may open a latch; completers
	// may complete a future; feeders pause all the time, and may be who hands tasks in, or who
	// completes what these wait for.
	free, completers, feeders []*history
	// timers are idle and will act in time: what, no dump tells.
	timers []*history
	// inTime reports that a scheduler came round or has nothing left to run: it may complete, or
	// have been to complete, what is waited for.
	inTime func() bool
	// events reports threads that answers from outside come in at; replies leaves out idle servers and timers.
	events, replies func() bool
}

func (f *facts) outsidersOf(stuck []*pool) *outsiders {
	inside := map[*pool]bool{}
	for _, p := range stuck {
		inside[p] = true
	}
	o := &outsiders{
		facts:   f,
		inTime:  sync.OnceValue(func() bool { return f.someComesRound() || slices.ContainsFunc(f.alive(), (*history).isSpent) }),
		events:  sync.OnceValue(func() bool { return f.hasEvents(true) }),
		replies: sync.OnceValue(func() bool { return f.hasEvents(false) }),
	}
	for _, h := range f.alive() {
		if h.thread.Role == threaddump.Application && h.idle() && isPending(h) {
			o.timers = append(o.timers, h)
		}
		switch {
		case h.pool != nil && inside[h.pool] || !f.isFree(h):
			continue
		case f.onlyPauses(h):
			o.feeders = append(o.feeders, h)
		case !f.isOccupied(h):
			o.completers = append(o.completers, h)
		}
		o.free = append(o.free, h)
	}
	return o
}

// isFree reports that a thread of the program has something to do that no result, signal or
// end of others decides.
func (f *facts) isFree(h *history) bool {
	s := h.last()
	if h.thread.Role != threaddump.Application || h.surelyIdle() {
		return false
	}
	switch kind := s.Stack.op.kind; {
	case kind == opResult, kind == opJoin, kind == opTermination, isSignal(kind) && !s.timed():
		return !f.standsStill(h)
	}
	return true
}

// isOccupied tells a thread that the whole look shows in a pause of the main method, in front
// of a lock or a permit, or writing: it has something else to do first than to complete a future.
func (f *facts) isOccupied(h *history) bool {
	s := h.last()
	kind := s.Stack.op.kind
	occupied := kind == opPermit && !s.timed() || kind == opWrite || s.wait.forLock() || pausesInMain(s.Stack)
	return occupied && f.standsStill(h)
}

// onlyPauses tells a thread other than main that was asleep between two rounds in all dumps,
// with less CPU than it takes to ask anybody for the answers that others wait for.
func (f *facts) onlyPauses(h *history) bool {
	const round = 500 * time.Microsecond // that of a feeder takes a fifth of it
	if !h.cpu.Known || h.cpu.Value > round*time.Duration(len(f.snaps)-1) {
		return false
	}
	return !slices.ContainsFunc(h.samples, func(s *Sample) bool { return !s.Stack.pauses() || pausesInMain(s.Stack) })
}

// onlyTasksBring reports that nobody but an executor brings what the workers of p
// wait for.
func (o *outsiders) onlyTasksBring(p *pool) bool {
	return !slices.ContainsFunc(p.busy, func(h *history) bool {
		s := h.last()
		switch {
		case s.wait.forLock():
			return false
		case isSignal(s.Stack.op.kind) && len(p.workers) < 2:
			return true // its program may be to wait for its end
		case s.Stack.op.kind != opResult:
			return s.Stack.serves() || len(o.free) > 0
		case s.Stack.waitsForFutureTask():
			return o.facts.delayedElsewhere(s, p)
		case p.kind == rootForkJoin:
			return true
		}
		return o.haveEvents(p) || !p.stages && (s.Stack.serves() || o.complete(p))
	})
}

// complete reports that somebody may complete what the workers of p wait for. Where several do,
// a thread with pauses is more likely who hands in what they do.
func (o *outsiders) complete(p *pool) bool {
	return len(o.completers) > 0 || len(p.busy) < 2 && len(o.feeders) > 0 || o.inTime()
}

// mayComplete reports that a thread that pauses, or will act in time, may complete a future that
// one of the workers waits for.
func (o *outsiders) mayComplete(workers []*history) bool {
	return slices.ContainsFunc(workers, func(h *history) bool {
		s := h.last().Stack
		open := s.op.kind == opResult && !s.waitsForFutureTask() && h.pool.kind != rootForkJoin
		return open && (len(o.timers) > 0 || !h.pool.stages && len(o.feeders) > 0)
	})
}

// haveEvents reports a thread that answers from outside come in at, and completes
// whatever waits for them. Where all workers of p run stages, an idle server is none, nor is a
// scheduler whose time has not come while somebody waits for what p should do.
func (o *outsiders) haveEvents(p *pool) bool {
	if slices.ContainsFunc(p.busy, func(h *history) bool { return !h.last().Stack.runsStage() }) {
		return o.events()
	}
	return o.replies() || len(o.timers) > 0 && len(o.facts.callersOf(p)) == 0
}

func (f *facts) hasEvents(all bool) bool {
	return slices.ContainsFunc(f.alive(), func(h *history) bool {
		s := h.last().Stack
		events := s.op.kind == opSelect || s.root != nil && s.root.kind == rootEvents || h.hearsFromOutside()
		return events && (all || !h.onlyServes() && !(h.idle() && isPending(h)))
	})
}

// delayedElsewhere reports that a thread waits for a delayed task while another
// scheduler may hold it until its time comes.
func (f *facts) delayedElsewhere(s *Sample, p *pool) bool {
	l := s.waitsOn()
	if l == nil || !strings.HasPrefix(l.class, juc+"ScheduledThreadPoolExecutor$") {
		return l != nil && strings.HasPrefix(l.class, juc+"ThreadPerTaskExecutor")
	}
	return slices.ContainsFunc(f.executors(), func(other *pool) bool { return other != p && other.scheduler })
}

// hearsFromOutside tells idle threads that will be told something, or that will act in
// time: the readers of clients of brokers and of other servers, schedulers with a task.
func (h *history) hearsFromOutside() bool {
	if !h.idle() {
		return false
	}
	switch h.last().resting().what {
	case "reader", "poller", "watcher":
		return true
	}
	return isPending(h)
}

// someComesRound reports a scheduler that has run something in the look: it may complete
// what it has not yet.
func (f *facts) someComesRound() bool {
	return slices.ContainsFunc(f.alive(), func(h *history) bool {
		return h.thread.Role == threaddump.Application && h.idle() && isScheduling(h.last().Stack) && h.cameRound()
	})
}

func (s *Stack) runsStage() bool { return s.isInside(juc+"CompletableFuture$Async", "run") }

// onlyServes tells the loops of servers, to which requests come and no answers, that
// had none in any dump.
func (h *history) onlyServes() bool {
	idle := !slices.ContainsFunc(h.samples, func(s *Sample) bool { return s.resting() == nil })
	return idle && h.idle() && slices.ContainsFunc(serverLoops[:], func(class string) bool {
		return h.last().Stack.isInside(class, "run")
	})
}

// serverLoops are the threads of servers that take connections and requests.
var serverLoops = [...]string{
	"sun.net.httpserver.ServerImpl$Dispatcher", "sun.rmi.transport.tcp.TCPTransport$AcceptLoop",
	"org.apache.tomcat.util.net.NioEndpoint$Poller", "org.apache.tomcat.util.net.Acceptor",
}
