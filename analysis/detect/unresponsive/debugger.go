package unresponsive

import (
	"fmt"
	"strings"
	"time"

	"github.com/jstall/jstall/analysis/facts/unanswered"
	"github.com/jstall/jstall/analysis/finding"
	"github.com/jstall/jstall/analysis/stack"
	"github.com/jstall/jstall/analysis/timeline"
	"github.com/jstall/jstall/threaddump"
)

// The threads of the JDK's debugging agent (JDWP). The reader exists only while a debugger is connected.
const (
	agentPrefix    = "JDWP "
	debuggerReader = "JDWP Command Reader"
)

// debuggerAdvice is the advice on threads that a debugger holds.
const debuggerAdvice = "Resume the threads in the debugger, or detach it: all go on then. A JVM started with " +
	"suspend=y waits for a debugger; start it with suspend=n."

// leastHeld is over how long a thread must stay without CPU to count as held.
const leastHeld = 300 * time.Millisecond

// heldThreads are threads that a Java debugger holds.
type heldThreads struct {
	threads []*timeline.History
	// beforeMain reports that the JVM waits for a debugger before main has begun.
	beforeMain bool
	// asleep reports that the kernel shows all of them asleep.
	asleep bool
	reader bool
	wall   time.Duration
	dumps  int
}

// mayBeHeld reports whether a thread of the program runs Java code by its state, or is main before its first frame, and
// does not move.
func mayBeHeld(f *timeline.Timeline, h *timeline.History, main bool) bool {
	runs := main || runsJava(h.Last())
	ofProgram := h.Thread.Program() && !isOfAgent(h.Thread.Name)
	return runs && ofProgram && f.IsUnchanged(h) && !h.WokeUp() && h.CPU.Known
}

// heldByDebugger finds the threads that a Java debugger holds, nil if it holds none.
//
// Rule: the debugging agent is in the JVM, and each of two or more dumps shows a thread of the program that runs Java
// code, always at the same place, without any CPU in between, and not waiting for a CPU: by its state it runs, by the
// kernel's account it sleeps. Where the kernel's account is missing, a debugger must be connected. Of a JVM that waits
// for its debugger, main has no Java frame.
func heldByDebugger(f *timeline.Timeline) *heldThreads {
	agent, reader := debuggingAgent(f.Last())
	wall := f.Wall()
	if !agent || len(f.Snaps) < 2 || !wall.Known || wall.Value < leastHeld {
		return nil
	}
	d := &heldThreads{asleep: true, reader: reader, wall: wall.Value, dumps: len(f.Snaps)}
	for _, h := range f.Alive() {
		main := isUnbegunMain(h)
		if !mayBeHeld(f, h, main) {
			continue
		}
		asleep, known := sleepsThroughout(f, h)
		if known && !asleep || !known && !reader {
			continue
		}
		d.asleep = d.asleep && known
		d.beforeMain = d.beforeMain || main
		d.threads = append(d.threads, h)
	}
	if len(d.threads) == 0 {
		return nil
	}
	return d
}

// debuggingAgent reports whether a dump shows the debugging agent, and whether a debugger is connected to it.
func debuggingAgent(s *timeline.Snapshot) (agent, reader bool) {
	for i := range s.Samples {
		name := s.Samples[i].Thread.Name
		agent = agent || isOfAgent(name)
		reader = reader || name == debuggerReader
	}
	return agent, reader
}

func isOfAgent(name string) bool { return strings.HasPrefix(name, agentPrefix) }

// runsJava reports whether a thread runs Java code by its state and its stack.
func runsJava(s *timeline.Sample) bool {
	return s.Wait == stack.Running && s.State == threaddump.Runnable && len(s.Stack.Frames) > 0 &&
		!s.Stack.Frames[0].Native && !s.TakesDump()
}

// isUnbegunMain reports whether a thread is main before its first Java frame.
func isUnbegunMain(h *timeline.History) bool {
	s := h.Last()
	return h.Thread.Name == "main" && s.State == threaddump.Runnable && len(s.Stack.Frames) == 0 && !s.Unread
}

// sleepsThroughout reports whether the kernel shows a thread asleep at each dump; known is false if it does not show
// it.
func sleepsThroughout(f *timeline.Timeline, h *timeline.History) (asleep, known bool) {
	asleep = true
	for _, s := range f.Snaps {
		task, ok := s.Tasks[h.Thread.NativeID]
		if !ok || task.State == "" {
			continue
		}
		known = true
		asleep = asleep && task.State == "S"
	}
	return asleep && known, known
}

// title names what the debugger holds.
func (d *heldThreads) title() string {
	if d.beforeMain && len(d.threads) == 1 {
		return "the JVM is held by a Java debugger before main: it was started with suspend=y and waits for a debugger"
	}
	lead := d.threads[0]
	text := "held by a Java debugger: " + lead.Thread.Called()
	if frame := lead.Last().Stack.Lead(); frame != nil {
		text += " in " + frame.Name()
	}
	if n := len(d.threads) - 1; n > 0 {
		text += " and " + finding.Counted(n, "more thread")
	}
	return text
}

// finding is the finding on threads that a debugger holds.
func (d *heldThreads) finding(f *timeline.Timeline) finding.Finding {
	result := finding.Finding{
		Severity: finding.Critical, Confidence: finding.Likely,
		Title: d.title(), Advice: debuggerAdvice, Evidence: d.evidence(),
	}
	if d.asleep {
		result.Confidence = finding.Proven
	}
	for _, h := range d.threads {
		result.Culprits = append(result.Culprits, f.Ref(h.Last()))
	}
	for _, h := range d.threads[:min(3, len(d.threads))] {
		result.Evidence = append(result.Evidence, f.PlaceEvidence(h)...)
	}
	return result
}

func (d *heldThreads) evidence() []finding.Evidence {
	agent := "the debugging agent (JDWP) is loaded, and no debugger is connected"
	if d.reader {
		agent = "a debugger is connected: the thread \"" + debuggerReader + "\" exists"
	}
	text := fmt.Sprintf("RUNNABLE in all %d dumps over %s, at one place and without CPU", d.dumps,
		finding.Seconds(d.wall))
	if d.asleep {
		text += ", while the kernel shows the same threads asleep (state S)"
	}
	return []finding.Evidence{{Text: agent}, {Text: text}}
}

// debugged is a JVM of which a debugger also holds the Signal Dispatcher, as a request to suspend all threads does.
func debugged(u *unanswered.JVM) *reason {
	reader := u.Named(debuggerReader)
	if reader == nil || !u.HasCode("timeout") || len(u.Moments) < 2 {
		return nil
	}
	for _, t := range u.Threads {
		if t.Kind == "java" && !isOfAgent(t.Name) && (t.Running > 0 || t.Last.CPU > t.First.CPU) {
			return nil
		}
	}
	return &reason{
		why:        "it is held by a Java debugger",
		advice:     debuggerAdvice,
		confidence: finding.Likely,
		evidence: []string{fmt.Sprintf("a debugger is connected: the thread %s exists; no Java thread used CPU over %s",
			finding.QuoteName(reader.Name), finding.Seconds(u.Wall()))},
	}
}
