package singlethread

import (
	"slices"
	"time"

	"github.com/jstall/jstall/analysis/facts"
	"github.com/jstall/jstall/analysis/facts/locks"
	"github.com/jstall/jstall/analysis/facts/pools"
	"github.com/jstall/jstall/analysis/finding"
	"github.com/jstall/jstall/analysis/stack"
	"github.com/jstall/jstall/analysis/timeline"
	"github.com/jstall/jstall/threaddump"
)

// blockedShutdown finds the hook that keeps the JVM from ending.
func blockedShutdown(f *facts.Facts) []finding.Candidate {
	var leaving []*timeline.History
	for _, h := range f.Timeline.Alive() {
		if h.Last().Stack.IsInside("java.lang.ApplicationShutdownHooks", "runHooks") {
			leaving = append(leaving, h)
		}
	}
	hooks := youngest(f.Timeline, leaving)
	takesDump := func(h *timeline.History) bool { return h.Last().TakesDump() } // as the flight recorder's hook does
	if len(leaving) == 0 || len(hooks) == 0 || slices.ContainsFunc(hooks, takesDump) {
		return nil
	}
	c := finding.Candidate{Finding: finding.Finding{
		Severity: finding.Warning, Confidence: finding.Likely,
		Title: hookTitle(f, hooks[0].Last()), Advice: hookAdvice,
		Culprits: f.Timeline.Refs(pools.LastSamples(hooks)), Victims: f.Timeline.Refs(pools.LastSamples(leaving)),
		Evidence: append(f.Timeline.PlaceEvidence(hooks[0]), shutdownEvidence(f.Timeline, leaving[0])...),
	}}
	if callsExit(hooks[0].Last()) {
		c.Title, c.Advice = exitTitle(hooks[0].Last()), exitAdvice
		return []finding.Candidate{c}
	}
	if !pools.LongEnough(f.Timeline) || !pools.AllUnchanged(f.Timeline, hooks) || worksOff(f.Pools, hooks[0]) {
		c.Severity, c.Confidence = finding.Info, finding.Possible
	}
	return []finding.Candidate{c}
}

// callsExit reports whether a thread is blocked in System.exit: another thread ends the JVM, and waits for all hooks
// while it holds the lock.
func callsExit(s *timeline.Sample) bool {
	return s.Wait == stack.WaitMonitor && len(s.Stack.Frames) > 0 &&
		s.Stack.Frames[0].Name() == "java.lang.Shutdown.exit"
}

// worksOff reports whether a hook waits for the end of an executor whose tasks make progress, even with pauses.
func worksOff(f *pools.Pools, hook *timeline.History) bool {
	return hook.Last().Stack.Op.Kind == stack.OpTermination &&
		slices.ContainsFunc(f.Executors(), func(p *pools.Pool) bool {
			return slices.ContainsFunc(p.Busy, func(h *timeline.History) bool {
				return timeline.ProgressOf(f.Timeline, h) == timeline.Moves ||
					timeline.ProgressOf(f.Timeline, h) == timeline.UsesCPU || h.Last().Timed() && h.WokeUp()
			})
		})
}

// youngest returns the threads of the application that were started last, except workers and the threads that end the
// JVM: hooks are started last.
func youngest(f *timeline.Timeline, leaving []*timeline.History) []*timeline.History {
	const together = int64(30 * time.Millisecond)
	var young []*timeline.History
	for _, h := range f.Alive() {
		s := h.Last()
		if h.Thread.Role != threaddump.Application || h.Thread.Name == "main" || slices.Contains(leaving, h) ||
			s.Stack.Root != nil || h.SurelyIdle() || len(s.Stack.Frames) == 0 {
			continue
		}
		switch {
		case len(young) == 0 || youngerThan(s, young[0].Last(), together):
			young = []*timeline.History{h}
		case !youngerThan(young[0].Last(), s, together):
			young = append(young, h)
		}
	}
	if still := slices.DeleteFunc(slices.Clone(young), func(h *timeline.History) bool {
		return locks.SleepsRepeatedly(f, h.LastAt(), h.Last())
	}); len(still) > 0 {
		return still // the others were started at the same time and move
	}
	return young
}

// youngerThan compares ages. JDK 8 prints no age, but the kernel numbers threads as they start.
func youngerThan(a, b *timeline.Sample, slack int64) bool {
	if a.Age != timeline.Unknown && b.Age != timeline.Unknown {
		return a.Age < b.Age-slack
	}
	return a.Thread.NativeID > b.Thread.NativeID
}

func shutdownEvidence(f *timeline.Timeline, h *timeline.History) []finding.Evidence {
	for i, frame := range h.Last().Stack.Frames {
		if frame.Class == "java.lang.ApplicationShutdownHooks" {
			return []finding.Evidence{f.QuoteFrame(h.LastAt(), h.Last(), i)}
		}
	}
	return nil
}
