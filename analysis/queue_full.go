package analysis

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"jstall/threaddump"
)

// detectFullQueues reports queues that producers cannot get rid of their items in.
//
// Rule: threads stand, over several dumps, in put, offer or transfer of a queue of
// the JDK, in a write to a pipe between threads, or wait in Object.wait, for a condition or in LockSupport.park for an
// object in a method of the program's own that is named like these. Two of them, or one for a
// second that does not park itself, are a warning: a producer with an item in its hand is never idle. A queue between a quick
// producer and a quick consumer is full as well, but each of its waits is over
// before the next dump, and costs CPU, or at least a turn at one. Of one whose room comes slowly, or to one producer
// after the other, see queue_slow.go.
//
// The culprit is the consumer, if one can be told: a thread with work in the
// classes of the producers, and in none of their methods; if it waits in the buffer as
// well, a signal is lost, and the kind is missed-signal (see bothWait). Where a
// library has the queue, as an appender of logs does, it is its own thread in the class that
// puts. Else it is the producers, with those behind the lock of a publisher (see queue_publisher.go).
//
// From: array, linked, synchronous and transfer queues whose consumer sleeps, reads
// from a socket, waits for a child process or is not there; a timed offer in a
// loop; a rejection handler that puts into the queue of its executor.
func detectFullQueues(f *facts) []candidate {
	groups := f.gather(f.fullKey)
	found, told := f.fullCircles(groups)
	found = append(found, f.fullRings()...)
	for _, producers := range f.slowProducers() {
		if c, ok := f.slowQueue(producers); ok {
			found, told = append(found, c), append(told, producers...)
		}
	}
	for _, g := range groups {
		g.waiters = slices.DeleteFunc(g.waiters, func(s still) bool { return s.foundRoom() })
		if len(g.waiters) == 0 || slices.Contains(told, g.waiters[0].last()) || f.flows(g) {
			continue
		}
		if c, ok := f.fullQueue(g); ok {
			found = append(found, c)
		}
	}
	return found
}

// foundRoom reports that a thread in a put without end was given a CPU since the dump before,
// however little it used: a queue of the JDK wakes it when there is room.
func (h *history) foundRoom() bool {
	if len(h.samples) < 2 || !h.last().putsWithoutEnd() {
		return false
	}
	before, now := h.samples[len(h.samples)-2].turns, h.last().turns
	return before != unknown && now != unknown && now > before
}

// fullKey is the object at which a thread waits for room, empty if it does not.
func (f *facts) fullKey(s *Sample) string {
	op := s.Stack.op
	switch {
	case op.kind == opPut && !s.wait.forLock():
		return s.object()
	case (op.kind == opNotify || op.kind == opCondition) && handsIn(op.caller), op.kind == opPark && s.parksToHandIn():
		return s.object()
	}
	return ""
}

// parksToHandIn tells a thread that parks for an object in a method that puts something in. To
// post may also be to ask over a connection, other than where one parks for the buffer itself.
func (s *Sample) parksToHandIn() bool {
	l, caller := s.waitsOn(), s.Stack.op.caller
	return l != nil && l.address != 0 && (handsIn(caller) || caller != nil && originOf(caller) == ofApplication && caller.Method == "post" && caller.Class == l.class)
}

// handIns are how methods are called that put something into a buffer.
var handIns = [...]string{"put", "offer", "enqueue", "push", "publish", "produce", "add", "insert", "emit"}

func handsIn(f *threaddump.Frame) bool {
	return f != nil && originOf(f) == ofApplication && slices.ContainsFunc(handIns[:], func(word string) bool {
		rest, ok := strings.CutPrefix(f.Method, word)
		return ok && (rest == "" || rest[0] >= 'A' && rest[0] <= 'Z')
	})
}

func (f *facts) fullQueue(g gathering) (candidate, bool) {
	at, producers := len(f.snaps)-1, f.withPublishersBehind(g.samples())
	finding := Finding{
		Severity: f.gradeFull(g), Confidence: Likely,
		Title:    f.fullTitle(producers),
		Advice:   "Find out why nothing is taken from the queue; a larger one only moves the moment.",
		Resource: atResource("queue", producers[0]), Evidence: f.waitEvidence(at, producers),
	}
	if op := producers[0].Stack.op; op.kind == opPut && !producers[0].Stack.inPipe() {
		finding.Resource.Class = op.frame.Class
	}
	if finding.Severity == Info {
		finding.Confidence = Possible
	}
	consumers := f.consumersOf(at, producers)
	if f.mayBeServed(consumers, producers) {
		consumers = nil
	}
	if len(consumers) == 0 {
		finding.Culprits = f.refs(producers)
		finding.Title += "; no thread in the dump is seen to take from it"
		return candidate{Finding: finding}, true
	}
	finding.Culprits, finding.Victims = f.refs(consumers), f.refs(producers)
	finding.Title += "; " + seemsOf(consumers) + " to be its consumer, and " + f.doing(consumers)
	finding.Evidence = append(finding.Evidence, f.standEvidence(at, consumers)...)
	finding.Advice = "Look at what holds up the consumer; a larger queue only moves the moment."
	return candidate{Finding: finding}, f.beside != nil || !f.bothWait(producers, consumers)
}

func (f *facts) gradeFull(g gathering) Severity {
	first := g.waiters[0]
	soon := !first.wall.Known || first.wall.Value < time.Second
	crowd := len(f.withPublishersBehind(g.samples()))
	if len(f.snaps) < 2 || crowd < 2 && (soon || first.last().Stack.op.kind == opPark) {
		return Info
	}
	return Warning
}

func (f *facts) fullTitle(producers []*Sample) string {
	into := producers[0].Stack.room()
	if len(producers) == 1 {
		return f.serving(producers[0]) + " waits for " + into
	}
	return fmt.Sprintf("%s wait for %s", Counted(len(producers), "thread"), into)
}

// mayBeServed reports that threads which all wait for something to come may get it from the
// producer, as that alone does something for others: then they are hardly its consumer.
func (f *facts) mayBeServed(threads, producers []*Sample) bool {
	return len(producers) == 1 && f.loopOf(producers[0]) != nil && !slices.ContainsFunc(threads, func(s *Sample) bool {
		return s.Stack.op.kind != opTake || s.timed()
	})
}

// loopOf is such a loop if the thread is one, nil otherwise.
func (f *facts) loopOf(s *Sample) *loop {
	loops := f.loops()
	i := slices.IndexFunc(loops, func(l loop) bool { return l.last() == s && l.kind != rootPool && !l.only })
	if i < 0 {
		return nil
	}
	return &loops[i]
}

// serving words a thread, with what it alone does for others where it is such a loop: who
// reads of its wait should know that this has stopped.
func (f *facts) serving(s *Sample) string {
	if l := f.loopOf(s); l != nil {
		return s.Thread.called() + ", which " + l.serves + ","
	}
	return s.Thread.called()
}

// room is what a producer with this stack waits for.
func (s *Stack) room() string {
	op := s.op
	if s.inPipe() {
		return "room in a full pipe between threads"
	}
	if op.kind != opPut {
		return "room in a full buffer"
	}
	class := op.frame.Class[strings.LastIndexByte(op.frame.Class, '.')+1:]
	if strings.Contains(op.frame.Class, "SynchronousQueue") || strings.Contains(op.frame.Method, "ransfer") {
		return "somebody to take from a " + class
	}
	return "room in a full " + class
}

// likelyConsumers are the threads that should take what the producers put: those
// with work in the same classes, and in none of their methods, or the only one with
// any. One that waits for room itself, as between two queues, is not to blame.
func (f *facts) likelyConsumers(at int, producers []*Sample) []*Sample {
	const few = 4
	giving := stacksOf(producers)
	if own := f.libraryConsumers(at, giving); len(own) > 0 && len(own) <= few {
		return inNameOrder(own)
	}
	var likely, busy []*Sample
	for i := range f.snaps[at].samples {
		s := &f.snaps[at].samples[i]
		if !mayHold(s) || slices.Contains(producers, s) || f.putInLook(s, producers[0]) || pausesInMain(s.Stack) || f.ticks(at, s) {
			continue
		}
		if s.wait.forLock() && slices.Contains(producers, f.ownerOf(s)) {
			continue // it stands behind them
		}
		busy = append(busy, s)
		if consumes(giving, s.Stack) {
			likely = append(likely, s)
		}
	}
	if len(likely) > few {
		likely = f.standingIn(giving, withoutCrowds(likely, few))
	}
	switch {
	case len(likely) > 0 && len(likely) <= few:
		return inNameOrder(likely)
	case len(busy) == 1 && f.snaps[at].closed():
		return busy
	}
	return nil
}

// putInLook reports that a thread waits for room, or has waited in the look for that which a producer
// waited for: it was given it, and goes its own way.
func (f *facts) putInLook(s, producer *Sample) bool {
	return f.fullKey(s) != "" || f.hasPut(f.history(s), f.history(producer))
}

// hasPut reports that a thread waited for room in one of the dumps where another did. From one dump to
// the next the queue may have moved.
func (f *facts) hasPut(h, producer *history) bool {
	return slices.ContainsFunc(h.at, func(at int32) bool { return f.meetInQueue(h, producer, int(at)) })
}

func (f *facts) meetInQueue(a, b *history, at int) bool {
	x, y := a.sampleAt(at), b.sampleAt(at)
	if x == nil || y == nil {
		return false
	}
	key := f.fullKey(y)
	return key != "" && f.fullKey(x) == key
}

// standingIn are the threads that stand still with work in the very class of a producer: that
// both are in one top-level class tells nothing where the whole program is.
func (f *facts) standingIn(giving []*Stack, threads []*Sample) []*Sample {
	return slices.DeleteFunc(threads, func(s *Sample) bool {
		return !f.standsStill(f.history(s)) || !slices.ContainsFunc(giving, func(p *Stack) bool { return meet(p, s.Stack, func(class string) string { return class }) })
	})
}

// withoutCrowds leaves out those of which more than a few wait alike for input: they serve or
// are served, and a queue has few consumers.
func withoutCrowds(threads []*Sample, few int) []*Sample {
	count := map[*threaddump.Frame]int{}
	for _, s := range threads {
		if s.Stack.op.kind == opRead {
			count[s.Stack.Application]++
		}
	}
	return slices.DeleteFunc(threads, func(s *Sample) bool {
		return s.Stack.op.kind == opRead && count[s.Stack.Application] > few
	})
}

// libraryConsumers are a library's own threads at work in the class that puts into the
// queue, and in none of the methods that do.
func (f *facts) libraryConsumers(at int, giving []*Stack) []*Sample {
	var found []*Sample
	for i := range f.snaps[at].samples {
		s := &f.snaps[at].samples[i]
		if s.Thread.Role != threaddump.Application || s.Stack.Application != nil || s.resting() != nil || f.fullKey(s) != "" {
			continue
		}
		if slices.ContainsFunc(giving, func(p *Stack) bool { return p.putsInHouseOf(s.Stack) }) {
			found = append(found, s)
		}
	}
	return found
}

// putsInHouseOf reports that the call of a library which puts is in a class that
// another stack is in, too.
func (s *Stack) putsInHouseOf(other *Stack) bool {
	by := s.op.caller
	return by != nil && originOf(by) == ofLibrary && slices.ContainsFunc(other.Frames, func(f *threaddump.Frame) bool {
		return outermost(f.Class) == outermost(by.Class) && f.Name() != by.Name()
	})
}

func consumes(giving []*Stack, s *Stack) bool {
	for _, p := range giving {
		for _, a := range inner(p.program()) {
			if isIn(a, s) {
				return false
			}
		}
	}
	return slices.ContainsFunc(giving, func(p *Stack) bool { return sameHouse(p, s) })
}

// sameHouse reports that two stacks are in the same top-level class.
func sameHouse(a, b *Stack) bool { return meet(a, b, outermost) }

// meet reports that two stacks have a frame of the program each whose classes are in the same place.
func meet(a, b *Stack, place func(class string) string) bool {
	for _, x := range inner(a.program()) {
		for _, y := range inner(b.program()) {
			if place(x.Class) == place(y.Class) {
				return true
			}
		}
	}
	return false
}
