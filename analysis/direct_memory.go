package analysis

import (
	"fmt"

	"jstall/threaddump"
)

// directMemory reports threads that wait until direct memory is freed. No counter tells
// how much of it is in use, but the JDK asks for a collection and sleeps in
// Bits.reserveMemory (8 to 26) only while the rest of it is too small for a buffer; half
// a second later it throws OutOfMemoryError. Two dumps make it a warning.
func (f *facts) directMemory() []candidate {
	dumps := map[int32]bool{}
	var waiting []*Sample
	for _, h := range f.threads {
		var last *Sample
		for i, s := range h.samples {
			if s.awaitsDirectMemory() {
				dumps[h.at[i]], last = true, s
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
	finding := Finding{
		Severity: Warning, Confidence: Likely,
		Title: fmt.Sprintf("direct memory is used up: %s %s for some to be freed",
			Counted(len(waiting), "thread"), verb(len(waiting), "waits", "wait")),
		Advice:   directMemoryAdvice,
		Culprits: f.refs(waiting),
		Evidence: []Evidence{figure(fmt.Sprintf("%d of %s show a thread in Bits.reserveMemory", len(dumps), Counted(len(f.snaps), "dump")))},
	}
	if e, ok := f.workEvidence(f.history(waiting[0]), waiting[0]); ok {
		finding.Evidence = append(finding.Evidence, e)
	}
	if len(dumps) < 2 {
		finding.Severity, finding.Confidence = Info, Possible
	}
	return []candidate{{Finding: finding}}
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
