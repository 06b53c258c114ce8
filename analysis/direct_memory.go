package analysis

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"jstall/threaddump"
)

// Thresholds of collections for direct memory.
const (
	// fullOnly is how many full collections since the start tell that they are no chance.
	fullOnly = 3
	// freesNothing is the CPU time that the Reference Handler may use after a collection and have freed
	// nothing: it is not even woken up, where to free 64 MB takes half a millisecond and more.
	freesNothing = 20 * time.Microsecond
	// freesLittle is the same for each of all full collections since the start, of which the first did free some.
	freesLittle = 350 * time.Microsecond
)

// directMemory reports direct memory that is used up. No counter tells
// how much of it is in use, but the JDK asks for a collection and sleeps in
// Bits.reserveMemory (8 to 26) only while the rest of it is too small for a buffer; half
// a second later it throws OutOfMemoryError. A thread that sleeps there makes it a warning: the
// collection is over and has freed too little. So do two dumps.
func (f *facts) directMemory() []candidate {
	dumps := map[int32]bool{}
	var waiting []*Sample
	sleeps := false
	for _, h := range f.threads {
		var last *Sample
		for i, s := range h.samples {
			if s.awaitsDirectMemory() {
				dumps[h.at[i]], last = true, s
				sleeps = sleeps || s.Stack.op.kind == opSleep
			}
		}
		if last != nil && h.thread.Role == threaddump.Application {
			waiting = append(waiting, last)
		}
	}
	if len(waiting) == 0 {
		return f.collectedForDirectMemory()
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
	if len(dumps) < 2 && !sleeps {
		finding.Severity, finding.Confidence = Info, Possible
	}
	return []candidate{{Finding: finding}}
}

// collectedForDirectMemory reports direct memory that is used up by what the JDK does about it
// between two dumps: full collections that by the class files nobody else asks for, one in the look,
// or the last in the seconds before it of at least three and half of all. They may well free enough
// each time, of buffers that die young; but then the Reference Handler works for it. Where it does
// not, they free nothing.
func (f *facts) collectedForDirectMemory() []candidate {
	first, last := f.snaps[0].counters, f.snaps[len(f.snaps)-1].counters
	if first == nil || last == nil || last.latestGCCause() != "System.gc()" || !f.bytecode.asksForDirectMemoryOnly() {
		return nil
	}
	full := last.FullCollections.Value
	now := gained(first.FullCollections, last.FullCollections).Value > 0
	if !now && !(f.collectedJustNow(last) && full >= fullOnly && 2*full >= last.GCCount.Value) {
		return nil
	}
	finding := Finding{
		Severity: Info, Confidence: Possible,
		Title:  "direct memory is used up, or was for a moment: the JDK has the heap collected to free some",
		Advice: directMemoryAdvice,
		Evidence: []Evidence{
			figure(fmt.Sprintf("of %s since the start %d were full, the last because of System.gc()", Counted(int(last.GCCount.Value), "collection"), full)),
			figure("by the class files the threads use ByteBuffer.allocateDirect, and nobody calls System.gc() but the JDK itself"),
		},
	}
	if words := f.freedNothing(now, full); words != "" && full >= fullOnly { // once may be somebody's jcmd GC.run
		finding.Severity, finding.Confidence = Warning, Likely
		finding.Title = "direct memory is used up: the JDK has the heap collected to free some, in vain"
		finding.Evidence = append(finding.Evidence, figure(words))
	}
	return []candidate{{Finding: finding}}
}

// freedNothing tells by the CPU time of the Reference Handler that full collections left it nothing to
// do: the one in the look, else most since the start. It frees direct memory itself up to JDK 25, and
// then hands it to a thread in java.nio.BufferCleaner.
func (f *facts) freedNothing(inLook bool, full int64) string {
	i := slices.IndexFunc(f.threads, func(h *history) bool {
		return h.thread.Name == "Reference Handler" && h.thread.Role != threaddump.Application
	})
	if i < 0 {
		return ""
	}
	h := f.threads[i]
	switch ever := h.last().CPU(); {
	case inLook && h.cpu.Known && h.cpu.Value <= freesNothing:
		return "the Reference Handler, which has direct memory freed after a collection, used no CPU in the look"
	case f.hasBufferCleaner():
		return ""
	case ever.Known && ever.Value <= time.Duration(full)*freesLittle:
		return fmt.Sprintf("the Reference Handler, which frees direct memory after a collection, used %s since the start", ever.Value.Round(time.Microsecond))
	}
	return ""
}

func (f *facts) hasBufferCleaner() bool {
	return slices.ContainsFunc(f.threads, func(h *history) bool {
		return slices.ContainsFunc(h.last().Stack.Frames, func(fr *threaddump.Frame) bool { return strings.HasPrefix(fr.Class, "java.nio.BufferCleaner") })
	})
}

// collectedJustNow reports that the last collection is a few seconds old.
func (f *facts) collectedJustNow(last *Counters) bool {
	const few = 10 * time.Second
	age := f.age()
	return age.Known && last.Emptied.Known && age.Value-last.Emptied.Value < few
}

// asksForDirectMemoryOnly reports that code allocates direct memory, and none asks for collections.
func (b *Bytecode) asksForDirectMemoryOnly() bool {
	return b != nil && b.Read > 0 && !b.Others && slices.Contains(b.Calls, "java.nio.ByteBuffer.allocateDirect") &&
		!slices.ContainsFunc(b.Calls, func(call string) bool {
			return call == "java.lang.System.gc" || call == "java.lang.Runtime.gc" || call == "java.lang.management.MemoryMXBean.gc"
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
