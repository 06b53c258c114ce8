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
// One dump is a warning where all event loops of a pool, two at least, or all workers of a pool,
// three at least, wait for room without a time limit, unless the consumer is seen at work.
//
// The culprit is the consumer, where its own stack shows that it is one (see likelyConsumers).
// Else it is the producers, with those behind the lock of a publisher (see queue_publisher.go).
//
// From: array, linked, synchronous and transfer queues whose consumer sleeps, reads
// from a socket, waits for a child process or is not there; a timed offer in a
// loop; a rejection handler that puts into the queue of its executor.
func detectFullQueues(f *facts) []candidate {
	groups := f.gather(f.fullKey)
	found, told := f.fullRings(), []*Sample(nil)
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
func (f *timeline) fullKey(s *Sample) string {
	op := s.Stack.op
	switch {
	case s.asksForRoom():
		return "room " + op.caller.Class
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
	first := producers[0]
	if first.asksForRoom() && f.oneMoment() && len(producers) < first.library().least {
		return candidate{}, false
	}
	consumers := f.likelyConsumers(at, producers)
	result := Finding{
		Severity: f.gradeFull(g), Confidence: Likely,
		Title:    f.fullTitle(producers) + consumersWords(f, consumers),
		Resource: atResource("queue", first), Evidence: f.waitEvidence(at, producers),
	}
	if op := first.Stack.op; op.kind == opPut && !first.Stack.inPipe() {
		result.Resource.Class = op.frame.Class
	}
	if f.oneMoment() && len(consumers) > 0 && allEndByThemselves(consumers) {
		result.Severity = Info
	}
	if result.Severity == Info {
		result.Confidence = Possible
	}
	switch {
	case len(consumers) > 0:
		result.Culprits, result.Victims = f.refs(consumers), f.refs(producers)
		result.Evidence = append(result.Evidence, f.standEvidence(at, consumers)...)
		result.Advice = "Find why the consumer is slow. A larger queue does not help."
	case first.asksForRoom():
		result.Culprits, result.Advice = f.refs(producers), first.library().advice
	default:
		result.Culprits = f.refs(producers)
		result.Advice = "Find the thread that should take from the queue: it ended, or it is held up. A larger queue only delays the moment."
	}
	return candidate{Finding: result}, true
}

// consumersWords completes a title by who should take from the queue.
func consumersWords(f *facts, consumers []*Sample) string {
	switch len(consumers) {
	case 0:
		return "; consumer unknown"
	case 1:
		return "; its consumer " + quoteThreads(consumers) + " " + f.phrase(consumers[0])
	}
	return "; its consumers are " + quoteThreads(consumers) + f.eachOf(consumers)
}

func (f *lockFacts) gradeFull(g gathering) Severity {
	if f.oneMoment() {
		if f.stopsProducers(g) {
			return Warning
		}
		return Info
	}
	first := g.waiters[0]
	soon := !first.wall.Known || first.wall.Value < time.Second
	if len(f.withPublishersBehind(g.samples())) < 2 && (soon || first.last().Stack.op.kind == opPark) {
		return Info
	}
	return Warning
}

// stopsProducers reports that all event loops of a pool, two at least, or all its workers, three
// at least, wait for room without a time limit.
func (f *timeline) stopsProducers(g gathering) bool {
	waiting, size, singles := map[string]int{}, map[string]int{}, map[string]bool{}
	for _, s := range g.samples() {
		root := s.Stack.root
		if root == nil || s.timed() {
			continue
		}
		pool := PoolName(s.Thread.Name)
		waiting[pool]++
		singles[pool] = singles[pool] || root.kind == rootEvents
	}
	for _, h := range f.alive() {
		size[PoolName(h.thread.Name)]++
	}
	for pool, n := range waiting {
		least := poolWaiters
		if singles[pool] {
			least = 2
		}
		if pool != "" && n >= least && n == size[pool] {
			return true
		}
	}
	return false
}

func (f *loopFacts) fullTitle(producers []*Sample) string {
	into := producers[0].Stack.room()
	if producers[0].asksForRoom() {
		into = producers[0].library().room
	}
	if len(producers) == 1 {
		return f.serving(producers[0]) + " waits for " + into
	}
	return fmt.Sprintf("%s wait for %s", Counted(len(producers), "thread"), into)
}

// loopOf is the loop over events or tasks that the thread runs, nil if it runs none.
func (f *loopFacts) loopOf(s *Sample) *loop {
	singles := f.loops()
	i := slices.IndexFunc(singles, func(l loop) bool { return l.last() == s && l.kind != rootPool && !l.only })
	if i < 0 {
		return nil
	}
	return &singles[i]
}

// serving words a thread, with what it alone does for others where it is such a loop: who
// reads of its wait should know that this has stopped.
func (f *loopFacts) serving(s *Sample) string {
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

// putInLook reports that a thread waits for room, or has waited in the capture for that which a producer
// waited for: it was given it, and goes its own way.
func (f *timeline) putInLook(s, producer *Sample) bool {
	return f.fullKey(s) != "" || f.hasPut(f.history(s), f.history(producer))
}

// hasPut reports that a thread waited for room in one of the dumps where another did. From one dump to
// the next the queue may have moved.
func (f *timeline) hasPut(h, producer *history) bool {
	return slices.ContainsFunc(h.at, func(at int32) bool { return f.meetInQueue(h, producer, int(at)) })
}

func (f *timeline) meetInQueue(a, b *history, at int) bool {
	x, y := a.sampleAt(at), b.sampleAt(at)
	if x == nil || y == nil {
		return false
	}
	key := f.fullKey(y)
	return key != "" && f.fullKey(x) == key
}
