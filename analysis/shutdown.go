package analysis

import (
	"fmt"
	"slices"
	"time"

	"jstall/threaddump"
)

// blockedShutdown finds the hook that keeps the JVM from ending.
func (f *facts) blockedShutdown() []candidate {
	var leaving []*history
	for _, h := range f.alive() {
		if h.last().Stack.isInside("java.lang.ApplicationShutdownHooks", "runHooks") {
			leaving = append(leaving, h)
		}
	}
	hooks := f.youngest(leaving)
	if len(leaving) == 0 || len(hooks) == 0 {
		return nil
	}
	c := candidate{Finding: Finding{
		Severity: Warning, Confidence: Likely,
		Title: fmt.Sprintf("the JVM cannot end: the shutdown hook %s %s",
			hooks[0].thread.called(), f.phrase(hooks[0].last())),
		Advice:   "Give what the hook waits for a timeout; until it ends the JVM cannot.",
		Culprits: f.refs(lastSamples(hooks)), Victims: f.refs(lastSamples(leaving)),
		Evidence: append(f.placeEvidence(hooks[0]), f.shutdownEvidence(leaving[0])...),
	}}
	f.tellExitInTask(&c.Finding, hooks[0], leaving)
	if !f.lasts() || !f.allStand(hooks) || f.worksOff(hooks[0]) {
		c.Severity, c.Confidence = Info, Possible
	}
	return []candidate{c}
}

// worksOff reports that a hook waits for the end of an executor whose tasks go on, be it with pauses.
func (f *poolFacts) worksOff(hook *history) bool {
	return hook.last().Stack.op.kind == opTermination && slices.ContainsFunc(f.executors(), func(p *pool) bool {
		return slices.ContainsFunc(p.busy, func(h *history) bool {
			return f.progressOf(h) == moves || f.progressOf(h) == burns || h.last().timed() && h.cameRound()
		})
	})
}

// youngest are the threads of the application that were started last, other than
// workers and those that leave themselves: hooks are started when all is over.
func (f *timeline) youngest(leaving []*history) []*history {
	const together = int64(30 * time.Millisecond)
	var young []*history
	for _, h := range f.alive() {
		s := h.last()
		if h.thread.Role != threaddump.Application || h.thread.Name == "main" || slices.Contains(leaving, h) ||
			s.Stack.root != nil || h.surelyIdle() || len(s.Stack.Frames) == 0 {
			continue
		}
		switch {
		case len(young) == 0 || youngerThan(s, young[0].last(), together):
			young = []*history{h}
		case !youngerThan(young[0].last(), s, together):
			young = append(young, h)
		}
	}
	if still := slices.DeleteFunc(slices.Clone(young), func(h *history) bool { return f.ticks(h.lastAt(), h.last()) }); len(still) > 0 {
		return still // the others were started in the same moment and come round
	}
	return young
}

// youngerThan compares ages; JDK 8 tells none, but the kernel numbers threads as
// they start.
func youngerThan(a, b *Sample, slack int64) bool {
	if a.elapsed != unknown && b.elapsed != unknown {
		return a.elapsed < b.elapsed-slack
	}
	return a.Thread.NativeID > b.Thread.NativeID
}

func (f *timeline) shutdownEvidence(h *history) []Evidence {
	for i, frame := range h.last().Stack.Frames {
		if frame.Class == "java.lang.ApplicationShutdownHooks" {
			return []Evidence{f.quoteFrame(h.lastAt(), h.last(), i)}
		}
	}
	return nil
}
