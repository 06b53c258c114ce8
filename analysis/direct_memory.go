package analysis

import (
	"fmt"
	"slices"
	"strings"

	"jstall/threaddump"
)

// directMemory reports direct memory that threads wait for as it is used up. No counter tells
// how much of it is in use, but the JDK asks for a collection and sleeps in
// Bits.reserveMemory (8 to 26) only while the rest of it is too small for a buffer; half
// a second later it throws OutOfMemoryError. A thread of the program that sleeps there
// makes it a warning: up to JDK 25 all that the collection found has mostly been freed by then,
// later a thread in java.nio.BufferCleaner may be about it. So do two dumps.
func (f *timeline) directMemory() []candidate {
	dumps := map[int32]bool{}
	var waiting []*Sample
	sleeps := false
	for _, h := range f.threads {
		var last *Sample
		for i, s := range h.samples {
			if s.awaitsDirectMemory() {
				dumps[h.at[i]], last = true, s
				sleeps = sleeps || s.Stack.op.kind == opSleep && h.thread.Role == threaddump.Application
			}
		}
		if last != nil && h.thread.Role == threaddump.Application {
			waiting = append(waiting, last)
		}
	}
	if len(waiting) == 0 {
		return nil
	}
	waiting = inNameOrder(waiting)
	result := Finding{
		Severity: Warning, Confidence: Likely,
		Title: fmt.Sprintf("direct memory is used up: %s %s for some to be freed",
			Counted(len(waiting), "thread"), verb(len(waiting), "waits", "wait")),
		Advice:   directMemoryAdvice,
		Culprits: f.refs(waiting),
		Evidence: []Evidence{figure(fmt.Sprintf("%d of %s show a thread in Bits.reserveMemory", len(dumps), Counted(len(f.snaps), "dump")))},
	}
	if e, ok := f.workEvidence(f.history(waiting[0]), waiting[0]); ok {
		result.Evidence = append(result.Evidence, e)
	}
	if len(dumps) < 2 && (!sleeps || f.hasBufferCleaner()) {
		result.Severity, result.Confidence = Info, Possible
	}
	return []candidate{{Finding: result}}
}

// hasBufferCleaner tells a JDK that leaves it to a thread of its own to free direct memory (26 and later).
func (f *timeline) hasBufferCleaner() bool {
	return slices.ContainsFunc(f.threads, func(h *history) bool {
		return slices.ContainsFunc(h.last().Stack.Frames, func(fr *threaddump.Frame) bool { return strings.HasPrefix(fr.Class, "java.nio.BufferCleaner") })
	})
}

const directMemoryAdvice = "Look for buffers of ByteBuffer.allocateDirect that are kept, or raise -XX:MaxDirectMemorySize. " +
	"Leave System.gc() enabled: it is what frees them."

// awaitsDirectMemory tells a thread that sleeps, or has asked for a collection, until
// direct memory is freed.
func (s *Sample) awaitsDirectMemory() bool {
	frames := s.Stack.Frames
	slow := s.Stack.op.kind == opSleep || len(frames) > 0 && frames[0].Name() == "java.lang.Runtime.gc"
	return slow && s.Stack.isInside("java.nio.Bits", "reserveMemory")
}
