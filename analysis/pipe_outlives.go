package analysis

import (
	"slices"
	"strings"

	"jstall/threaddump"
)

// outlivedPipes reports threads that wait in a library for the end of what a child process
// writes, which does not come though the child has ended. The readers are told with them.
func (f *poolFacts) outlivedPipes(all []ioWaiter, told map[*Sample]bool) []candidate {
	var joiners []*history
	var readers []*Sample
	for _, w := range all {
		if !w.outlives {
			continue
		}
		for _, h := range f.libraryJoiners(w.h) {
			if !slices.Contains(joiners, h) {
				joiners = append(joiners, h)
			}
			told[w.h.last()] = true
			readers = append(readers, w.h.last())
		}
	}
	if len(joiners) == 0 {
		return nil
	}
	threads := inNameOrder(lastSamples(joiners))
	blamed := newBlame(&Finding{Culprits: f.refs(threads), Kind: KindIOWait})
	return []candidate{{
		Finding: Finding{
			Severity: Warning, Confidence: Likely,
			Title: quoteThreads(threads) + verb(len(threads), " waits", " wait") + " for the end of what a child process writes; " +
				"the child has ended, but a process that it started keeps the pipe open",
			Advice: outlivesAdvice, Culprits: f.refs(threads), Victims: f.refs(f.callersBehind(joiners)),
			Evidence: append(f.placeEvidence(joiners[0]), f.reaperEvidence(readers)...),
		},
		behind: func(effect *Finding) bool { return effect.Kind != KindIOWait && blamed.blamesSame(newBlame(effect)) },
	}}
}

const outlivesAdvice = "Let what the child leaves behind write elsewhere (>/dev/null 2>&1), or redirect the child's output to a file: " +
	"as long as one process has the pipe open, no end of it comes. Wait for its readers with a time limit."

// callersBehind are the callers of executors all of whose workers some threads are.
func (f *poolFacts) callersBehind(threads []*history) []*Sample {
	stands := map[*history]bool{}
	for _, h := range threads {
		stands[h] = true
	}
	var behind []*Sample
	for _, p := range f.executors() {
		if p.fullOf(stands) {
			behind = append(behind, lastSamples(f.callersOf(p))...)
		}
	}
	return behind
}

// reaperEvidence quotes what the JVM's own thread waits for that has seen the child end.
func (f *timeline) reaperEvidence(readers []*Sample) []Evidence {
	for _, h := range f.alive() {
		if s := h.last(); reaps(s) && slices.ContainsFunc(readers, func(r *Sample) bool { return r.holding(s.waitsOn().address) != nil }) {
			return []Evidence{f.quoteFrame(h.lastAt(), s, 0), f.quoteLock(h.lastAt(), s.waitsOn())}
		}
	}
	return nil
}

// pipeOutlives reports that a thread reads what a child process writes that has ended: the
// JVM's reaper of it waits for the reader to let go of the pipe. What keeps that open is a
// process which the child has started. Where no child is left at all, it is so for every
// reader at the same place.
func (f *timeline) pipeOutlives(h *history) bool {
	m := f.lastMachine()
	return slices.ContainsFunc(f.alive(), func(o *history) bool {
		same := o == h || m != nil && m.Children.Count == 0 && o.last().Stack == h.last().Stack
		return same && f.keepsReaper(o)
	})
}

// keepsReaper reports that over the capture the JVM waits to clear up the pipe that a thread
// reads from, as it does once the child has ended.
func (f *timeline) keepsReaper(h *history) bool {
	return slices.ContainsFunc(f.alive(), func(o *history) bool {
		s := o.last()
		return reaps(s) && h.last().holding(s.waitsOn().address) != nil && f.standingStill(o).long()
	})
}

// reaps tells the JVM's own thread that has seen a child process end and waits for its pipe.
func reaps(s *Sample) bool {
	return s.wait == waitMonitor && s.waitsOn() != nil && strings.HasSuffix(s.Stack.Frames[0].Name(), fromChild+".processExited")
}

// libraryJoiners are the threads that wait, over the whole capture and without end, in a
// library for the end of a thread which that library runs.
func (f *timeline) libraryJoiners(h *history) []*history {
	own := slices.IndexFunc(h.last().Stack.Frames, func(fr *threaddump.Frame) bool { return !isJDK(fr) })
	if own < 0 || h.last().Stack.Application != nil {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(f.alive()), func(o *history) bool {
		s := o.last()
		by, l := s.Stack.op.caller, s.waitsOn()
		return s.Stack.op.kind != opJoin || s.timed() || f.standingStill(o).dumps < len(f.snaps) ||
			by == nil || packageOf(by) != packageOf(h.last().Stack.Frames[own]) || l != nil && l.class != bottomClass(h)
	})
}

func packageOf(f *threaddump.Frame) string { return f.Class[:strings.LastIndexByte(f.Class, '.')+1] }
