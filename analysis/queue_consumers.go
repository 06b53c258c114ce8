package analysis

import (
	"slices"
	"strings"

	"jstall/threaddump"
)

// mostConsumers is how many threads a queue may have as consumers to be named.
const mostConsumers = 4

// likelyConsumers are the threads that should take what producers put, by evidence on their
// own stacks: another dump shows them take from such a queue, or they are in a call of the
// class that owns the queue. None if these are more than a few. One that waits for room itself,
// as between two queues, is not to blame.
func (f *lockFacts) likelyConsumers(at int, producers []*Sample) []*Sample {
	giving := stacksOf(producers)
	var consumers []*Sample
	for i := range f.snaps[at].samples {
		s := &f.snaps[at].samples[i]
		if !s.mayBorrow() || slices.Contains(producers, s) || f.putInLook(s, producers[0]) || f.ticks(at, s) {
			continue
		}
		if s.Stack.op.kind == opTake || s.wait.forLock() && slices.Contains(producers, f.ownerOf(s)) {
			continue // it waits for an item itself, or stands behind a producer
		}
		owns := slices.ContainsFunc(giving, func(p *Stack) bool { return !p.givesIn(s.Stack) && p.queueOwnerIn(s.Stack) })
		if owns || f.hasTaken(s, producers[0]) {
			consumers = append(consumers, s)
		}
	}
	if len(consumers) > mostConsumers {
		return nil
	}
	return inNameOrder(consumers)
}

// givesIn reports that another stack is in a method in which the producer puts.
func (s *Stack) givesIn(other *Stack) bool {
	return slices.ContainsFunc(inner(s.program()), func(fr *threaddump.Frame) bool { return isIn(fr, other) })
}

// queueOwnerIn reports that another stack is in a call of the class that puts into the queue,
// or of one nested in it; of a library also of one named after it, as its thread.
func (s *Stack) queueOwnerIn(other *Stack) bool {
	by := s.op.caller
	if by == nil {
		return false
	}
	if originOf(by) == ofLibrary {
		return slices.ContainsFunc(other.Frames, func(fr *threaddump.Frame) bool {
			return strings.HasPrefix(fr.Class, outermost(by.Class)) && fr.Name() != by.Name()
		})
	}
	return slices.ContainsFunc(inner(other.program()), func(fr *threaddump.Frame) bool {
		return fr.Class == by.Class || strings.HasPrefix(fr.Class, by.Class+"$")
	})
}

// hasTaken reports that another dump shows the thread take from a queue of the class that a
// producer puts into, in a method that it is still in: it works on what it took.
func (f *timeline) hasTaken(s, producer *Sample) bool {
	put := producer.Stack.op
	h := f.history(s)
	if put.kind != opPut || h == nil {
		return false
	}
	return slices.ContainsFunc(h.samples, func(then *Sample) bool {
		took := then.Stack.op
		return took.kind == opTake && took.caller != nil && took.frame != nil && put.frame != nil &&
			took.frame.Class == put.frame.Class && isIn(took.caller, s.Stack)
	})
}

// allEndByThemselves reports that all of some threads work, or wait no longer than they want to.
func allEndByThemselves(threads []*Sample) bool {
	return !slices.ContainsFunc(threads, func(s *Sample) bool { return limitOf(s) == byOthers })
}
