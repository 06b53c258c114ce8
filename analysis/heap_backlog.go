package analysis

import (
	"fmt"
	"slices"
	"strings"

	"jstall/threaddump"
)

// backlog is a queue without a bound whose consumers never wait for more.
type backlog struct {
	field     string
	consumers []*history
}

// fallsBehind finds the queue that the heap grows by: by the class files it has no bound, and is put into again and
// again; threads take from it one by one, and no dump of three or more shows any of them waiting for the next. What is
// put there stays until then.
func (f *facts) fallsBehind(g growing) *backlog {
	b := f.bytecode
	if b == nil || b.Others || g.unseen || g.kept < heapKeptFilled || len(f.snaps) < leastDumps || !f.growsEver(g) {
		return nil
	}
	for _, fed := range b.Fed {
		field, methods, _ := strings.Cut(fed, "/")
		takers := strings.Split(methods, ",")
		consumers := slices.DeleteFunc(slices.Clone(f.alive()), func(h *history) bool {
			return !h.thread.program() || len(h.samples) < len(f.snaps) || !slices.ContainsFunc(h.samples, func(s *Sample) bool { return s.isIn(takers) })
		})
		if len(consumers) > 0 && !slices.ContainsFunc(consumers, (*history).everWaited) {
			return &backlog{field, consumers}
		}
	}
	return nil
}

// isIn reports that one of some methods is on the stack.
func (s *Sample) isIn(methods []string) bool {
	return slices.ContainsFunc(s.Stack.program(), func(fr *threaddump.Frame) bool { return slices.Contains(methods, fr.Name()) })
}

// everWaited reports that a dump shows the thread wait for something to take, or for a signal, as one that has
// nothing to do.
func (h *history) everWaited() bool {
	return slices.ContainsFunc(h.samples, func(s *Sample) bool {
		kind := s.Stack.op.kind
		return kind == opTake || s.wantsSignal() || s.resting() != nil && kind != opSleep
	})
}

// words tell of it.
func (b *backlog) words(read int) string {
	who := fmt.Sprintf("none of the %d threads that take from it is seen to wait", len(b.consumers))
	if len(b.consumers) == 1 {
		who = b.consumers[0].thread.called() + ", the only thread that takes from it, is not seen to wait"
	}
	return fmt.Sprintf("%s has no bound, by its class files (%d read), and %s for more", shortName(b.field), read, who)
}

// backlogAdvice is for what is put into a queue faster than it is taken out.
const backlogAdvice = "Give the queue a bound, so that who puts something there waits or is refused, or more consumers. "

// addCulprits names further threads, a few, that are not named yet.
func (f *facts) addCulprits(finding *Finding, threads []*history) {
	const few = 5
	for _, h := range threads[:min(few, len(threads))] {
		if ref := f.ref(h.last()); !slices.ContainsFunc(finding.Culprits, func(r ThreadRef) bool { return threadIDOf(r) == threadIDOf(ref) }) {
			finding.Culprits = append(finding.Culprits, ref)
		}
	}
}
