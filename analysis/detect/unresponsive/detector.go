// Package unresponsive finds why a JVM does not answer, was not asked, or is held by a Java debugger.
package unresponsive

import (
	"cmp"
	"strings"

	"github.com/jstall/jstall/analysis/detect"
	"github.com/jstall/jstall/analysis/facts"
	"github.com/jstall/jstall/analysis/facts/unanswered"
	"github.com/jstall/jstall/analysis/finding"
	"github.com/jstall/jstall/analysis/timeline"
)

// Detector reports why a JVM does not answer, or that a Java debugger holds its threads.
var Detector = detect.Detector{
	Kind:          finding.KindJVMUnresponsive,
	Doc:           "why a JVM does not answer, was not asked, or is held by a Java debugger",
	RunUnanswered: run,
}

// run reports the first of the reasons that fits. Threads that a debugger holds are reported instead, with the failed
// attempt as evidence, unless the reason is proven. A JVM that was not asked for a limit of the kernel is reported as
// that limit, by another detector.
func run(u *unanswered.JVM, f *facts.Facts) []finding.Candidate {
	if u != nil && u.Refused() {
		return nil
	}
	var t *timeline.Timeline
	var held *heldThreads
	if f != nil {
		t = f.Timeline
		held = heldByDebugger(t)
	}
	var result finding.Finding
	switch {
	case u == nil && held == nil:
		return nil
	case u == nil:
		result = held.finding(t)
	case held != nil && !firstReason(u, t).certain():
		result = held.finding(t)
		result.Evidence = append(result.Evidence, finding.Figure(u.AttemptText()))
	default:
		result = unresponsive(u, t)
	}
	return []finding.Candidate{{Finding: result}}
}

// reasons are all that are known, the surest first. Each returns nil where it does not fit.
var reasons = [...]func(*unanswered.JVM) *reason{
	ended, zombie, stopped, frozen,
	starting, ignoresQuit, disabled, unreachable, outOfFiles,
	throttled, swapped, stuckInKernel, debugged, collecting,
	awaitsSafepoint, shuttingDown, listenerHeld,
	inOperation, starved,
}

// firstReason is the first that fits. Where none fits it is what the timeline shows, nil without dumps, or that the
// cause is unknown.
func firstReason(u *unanswered.JVM, t *timeline.Timeline) *reason {
	for _, of := range reasons {
		if r := of(u); r != nil {
			return r
		}
	}
	if r := measured(t); r != nil {
		return r
	}
	return unexplained(u)
}

// unresponsive is the finding on a JVM that gave no dump. Threads that the last dump of the capture also shows are
// named as in it; t is nil without a dump.
func unresponsive(u *unanswered.JVM, t *timeline.Timeline) finding.Finding {
	r := firstReason(u, t)
	f := finding.Finding{
		Title: "the JVM does not answer: " + r.why, Advice: r.advice,
		Severity: cmp.Or(r.severity, finding.Critical), Confidence: cmp.Or(r.confidence, finding.Proven),
	}
	if what, ok := u.NotAsked(); ok {
		f.Title = "the JVM was not asked: " + what
		if !strings.Contains(r.why, u.Attempt.Message) { // else the cause is unknown
			f.Title = "the JVM was not asked: " + r.why
		}
		f.Severity = finding.Warning
	}
	if r.gone {
		f.Title = "the JVM " + strings.TrimPrefix(r.why, "it ")
	}
	for _, c := range r.culprits {
		f.Culprits = append(f.Culprits, inLastDump(c.Ref(), t))
	}
	for _, text := range append(r.evidence, u.AttemptText()) {
		f.Evidence = append(f.Evidence, finding.Figure(text))
	}
	return f
}

// inLastDump names a thread as the last dump does, if that has it.
func inLastDump(r finding.ThreadRef, t *timeline.Timeline) finding.ThreadRef {
	if t == nil {
		return r
	}
	for _, h := range t.Alive() {
		if h.Thread.NativeID != r.NativeID {
			continue
		}
		s := h.Last()
		r.Name, r.ID, r.State, r.Frame = h.Thread.Name, h.Thread.ID, s.Shown().String(), ""
		if frame := s.Stack.Lead(); frame != nil {
			r.Frame = frame.Name()
		}
	}
	return r
}
