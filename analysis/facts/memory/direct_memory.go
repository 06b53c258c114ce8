package memory

import (
	"fmt"
	"slices"

	"jstall/analysis/finding"
	"jstall/analysis/stack"
	"jstall/analysis/timeline"
	"jstall/threaddump"
)

// DirectMemory reports direct memory that threads wait for as it is used up. No counter tells
// how much of it is in use, but the JDK asks for a collection and sleeps in
// Bits.reserveMemory (8 to 26) only while the rest of it is too small for a buffer; half
// a second later it throws OutOfMemoryError. A thread of the program that sleeps there
// makes it a warning: up to JDK 25 all that the collection found has mostly been freed by then,
// later a thread in java.nio.BufferCleaner may be about it. So do two dumps.
func DirectMemory(f *timeline.Timeline) []finding.Candidate {
	dumps := map[int32]bool{}
	var waiting []*timeline.Sample
	sleeps := false
	for _, h := range f.Threads {
		var last *timeline.Sample
		for i, s := range h.Samples {
			if awaitsDirectMemory(s) {
				dumps[h.At[i]], last = true, s
				sleeps = sleeps || s.Stack.Op.Kind == stack.OpSleep && h.Thread.Role == threaddump.Application
			}
		}
		if last != nil && h.Thread.Role == threaddump.Application {
			waiting = append(waiting, last)
		}
	}
	if len(waiting) == 0 {
		return nil
	}
	waiting = timeline.InNameOrder(waiting)
	result := finding.Finding{
		Severity: finding.Warning, Confidence: finding.Likely,
		Title: fmt.Sprintf("direct memory is used up: %s %s for some to be freed",
			finding.Counted(len(waiting), "thread"), finding.Verb(len(waiting), "waits", "wait")),
		Advice:   DirectMemoryAdvice,
		Culprits: f.Refs(waiting),
		Evidence: []finding.Evidence{finding.Figure(fmt.Sprintf("%d of %s show a thread in Bits.reserveMemory",
			len(dumps), finding.Counted(len(f.Snaps), "dump")))},
	}
	if e, ok := timeline.WorkEvidence(f, f.History(waiting[0]), waiting[0]); ok {
		result.Evidence = append(result.Evidence, e)
	}
	if len(dumps) < 2 && (!sleeps || hasBufferCleaner(f)) {
		result.Severity, result.Confidence = finding.Info, finding.Possible
	}
	return []finding.Candidate{{Finding: result}}
}

// hasBufferCleaner tells a JDK that leaves it to a thread of its own to free direct memory (26 and later).
func hasBufferCleaner(f *timeline.Timeline) bool {
	return slices.ContainsFunc(f.Threads, func(h *timeline.History) bool {
		return h.Last().Stack.IsInside("java.nio.BufferCleaner", "")
	})
}

// DirectMemoryAdvice is what to do when direct memory is used up.
const DirectMemoryAdvice = "Find buffers of ByteBuffer.allocateDirect that are kept, or raise " +
	"-XX:MaxDirectMemorySize. Leave System.gc() enabled: it is what frees them."

// awaitsDirectMemory tells a thread that sleeps, or has asked for a collection, until
// direct memory is freed.
func awaitsDirectMemory(s *timeline.Sample) bool {
	frames := s.Stack.Frames
	slow := s.Stack.Op.Kind == stack.OpSleep || len(frames) > 0 && frames[0].Name() == "java.lang.Runtime.gc"
	return slow && s.Stack.IsInside("java.nio.Bits", "reserveMemory")
}
