package analysis

import (
	"cmp"
	"slices"
)

// keepsWord is what [Bytecode.Ahead] calls that a thread may put things into collections.
const keepsWord = "keeps"

// blameKeepers names those of the threads that allocate much which by the class files put things into
// collections, or run what may: whoever makes the most garbage keeps nothing. What is kept, so many
// bytes a second, somebody has allocated. It reports whether there are others than such.
func (f *facts) blameKeepers(finding *Finding, perSecond float64) bool {
	if !f.signalsLeft().known {
		return false
	}
	keepers, others := f.keepers(perSecond)
	if len(keepers) == 0 || !others {
		return false
	}
	slices.SortStableFunc(keepers, func(a, b *history) int { return cmp.Compare(b.allocated.Value, a.allocated.Value) })
	finding.Culprits, _ = f.atWork(keepers[:min(mostQuotes, len(keepers))])
	return true
}

// keepers are the threads of blameKeepers, and whether there are others.
func (f *facts) keepers(perSecond float64) (keepers []*history, others bool) {
	wall := f.wall()
	least := int64(perSecond * wall.Value.Seconds() / 2)
	for _, h := range f.alive() {
		if !h.thread.program() || !h.allocated.Known || h.allocated.Value < least || least == 0 {
			continue
		}
		if f.mayKeep(h) {
			keepers = append(keepers, h)
		} else {
			others = true
		}
	}
	return keepers, others
}

// loadsFirst reports that those who keep things read what the program starts with: the main thread, other than
// one that sleeps at most dumps, which takes its time on purpose; or, in a young JVM, such as by their class files
// let others go on that wait for it, once they are done.
func (f *facts) loadsFirst(perSecond float64) bool {
	var doer *history
	if most, total := f.mostBy(allocating().amount); total == 0 {
		doer, _ = f.likelyDoer()
	} else if len(most) > 0 {
		doer = most[0]
	}
	if doer != nil && doer.thread.Name == "main" && !doer.sleepsMostly() {
		return true
	}
	if !f.signalsLeft().known || !f.starting() {
		return false
	}
	keepers, _ := f.keepers(perSecond)
	return len(keepers) > 0 && !slices.ContainsFunc(keepers, func(h *history) bool { return !f.opensLatch(h) })
}

// opensLatch reports that others wait for a latch, and that a thread counts one down when it is done with what it
// does now, by its class files. The main thread may wait for the end of all.
func (f *facts) opensLatch(h *history) bool {
	coming := map[string]bool{}
	f.noteGiven(h.last(), coming)
	return coming[signalWords[opLatch]] && slices.ContainsFunc(f.alive(), func(o *history) bool {
		return o != h && o.thread.program() && o.thread.Name != "main" && o.last().Stack.op.kind == opLatch && f.standsStill(o)
	})
}

// mayKeep reports that a thread may put things into collections; what one runs that rests is what others
// were handed.
func (f *facts) mayKeep(h *history) bool {
	words, _ := f.mayEnd(h.last())
	if h.last().Stack.Application == nil {
		words = slices.Concat(words, f.bytecode.Later, f.bytecode.Queued)
	}
	return slices.Contains(words, keepsWord)
}

// isOfFillers tells a hint that those look at something again and again who fill the heap: they
// do what they are for.
func (finding *Finding) isOfFillers(effect *Finding) bool {
	return effect.Kind == KindSpin && effect.Severity == Info && len(effect.Culprits) > 0 && !slices.ContainsFunc(effect.Culprits, func(r ThreadRef) bool {
		return !slices.ContainsFunc(finding.Culprits, func(own ThreadRef) bool { return threadIDOf(own) == threadIDOf(r) })
	})
}
