package analysis

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/jstall/jstall/analysis/facts/limits"
	"github.com/jstall/jstall/analysis/finding"
	"github.com/jstall/jstall/analysis/timeline"
)

// reason is why a JVM does not answer, as far as it can be seen.
type reason struct {
	// why goes on from "the JVM does not answer: it …".
	why string
	// gone tells that there is no JVM any more which could.
	gone       bool
	advice     string
	severity   finding.Severity
	confidence finding.Confidence
	culprits   []*silentThread
	evidence   []string
}

// reasons are all that we know to look for, the surest first.
var reasons = [...]func(*silence) *reason{
	ended, zombie, stopped, frozen,
	starting, ignoresQuit, disabled, unreachable, outOfFiles,
	throttled, swapped, stuckInKernel, debugged, collecting,
	awaitsSafepoint, shuttingDown, listenerHeld,
	inOperation, starved, unexplained,
}

// reason is the first that fits; the last one always does.
func (q *silence) reason() *reason {
	for _, of := range reasons {
		if r := of(q); r != nil {
			return r
		}
	}
	return nil
}

// finding is what is said of the failed attempt: that it was not made, or that the JVM does not answer.
func (q *silence) finding(known []ThreadReport) finding.Candidate {
	if q.refused() {
		return finding.Candidate{Finding: q.noRoom()}
	}
	return finding.Candidate{Finding: q.unresponsive(known)}
}

// notAsked begins the message of an attempt that was not made.
const notAsked = "not asked: "

// refused tells an attempt that was not made, since a limit of the kernel leaves too little room for it.
func (q *silence) refused() bool {
	return q.code(limits.NoThreadRoom, limits.NoFileRoom, limits.NoMemoryRoom, limits.NoSpace)
}

// noRoom is the finding on the limit for which nothing was sent.
func (q *silence) noRoom() finding.Finding {
	f := finding.Finding{
		Kind: finding.KindLimitNear, Severity: finding.Warning, Confidence: finding.Proven,
		Title: "not attached: " + q.attempt.Message, Advice: q.attempt.Remedy,
		Evidence: []finding.Evidence{{Text: q.attemptText()},
			{Text: "no trigger file was made, and no signal and no request was sent"}},
	}
	if q.code(limits.NoMemoryRoom) { // what the answer would take is predicted
		f.Confidence = finding.Likely
	}
	return f
}

// unresponsive is the finding on a JVM that gave no dump. Threads that the last
// dump of the capture shows too are named as there.
func (q *silence) unresponsive(known []ThreadReport) finding.Finding {
	r := q.reason()
	f := finding.Finding{
		Kind: finding.KindJVMUnresponsive, Title: "the JVM does not answer: " + r.why, Advice: r.advice,
		Severity: cmp.Or(r.severity, finding.Critical), Confidence: cmp.Or(r.confidence, finding.Proven),
	}
	if what, not := strings.CutPrefix(q.attempt.Message, notAsked); not {
		f.Title = "the JVM was not asked: " + what
		if !strings.Contains(r.why, q.attempt.Message) { // else the cause is unknown
			f.Title = "the JVM was not asked: " + r.why
		}
		f.Severity = finding.Warning
	}
	if r.gone {
		f.Title = "the JVM " + strings.TrimPrefix(r.why, "it ")
	}
	for _, t := range r.culprits {
		f.Culprits = append(f.Culprits, inDump(t.ref(), known))
	}
	for _, text := range append(r.evidence, q.attemptText()) {
		f.Evidence = append(f.Evidence, finding.Evidence{Text: text})
	}
	return f
}

// inDump names a thread as the last dump does.
func inDump(r finding.ThreadRef, known []ThreadReport) finding.ThreadRef {
	for _, t := range known {
		if t.NativeID == r.NativeID {
			r.Name, r.ID, r.State, r.Frame = t.Name, t.ID, t.State, t.Frame
		}
	}
	return r
}

func (q *silence) attemptText() string {
	return "attach, " + q.attempt.Phase + ": " + q.attempt.Message
}

// silentReport fills in the report on a JVM of which there is no dump.
func silentReport(r *Report, q *silence) {
	all := []finding.Candidate{q.finding(nil)}
	for _, c := range limits.Near(q.last().Machine, q.attempt.Code) {
		c.Kind = finding.KindLimitNear
		all = append(all, c)
	}
	number(all)
	f := all[0].Finding
	for _, c := range all {
		r.Findings = append(r.Findings, c.Finding)
	}
	summary := f.Title
	if len(f.Culprits) > 0 && !strings.Contains(f.Title, finding.QuoteName(f.Culprits[0].Name)) {
		summary += ", " + finding.QuoteName(f.Culprits[0].Name) + " (nid " +
			strconv.FormatInt(f.Culprits[0].NativeID, 10) + ")"
	}
	r.Verdict = Verdict{Unresponsive, summary}
	if q.refused() {
		r.Verdict = Verdict{Degraded, f.Title}
	}
	r.Capture.Source = "procfs"
	if first, last := q.first().ProcessCPU, q.last().ProcessCPU; len(q.moments) > 1 && first.Known && last.Known {
		r.Capture.ElapsedSeconds = finding.Rounded(q.wall().Seconds(), 1e5)
		r.Capture.CPUSeconds = finding.Rounded((last.Value - first.Value).Seconds(), 1e5)
	}
	threads := slices.Clone(q.threads)
	slices.SortStableFunc(threads, func(a, b *silentThread) int { return cmp.Compare(b.share(), a.share()) })
	for _, t := range threads {
		r.Threads = append(r.Threads, t.row())
	}
}

// addSilence adds the finding on a JVM that fell silent after its first dumps, or that a debugger holds, and
// what the kernel says of its threads by now.
func addSilence(r *Report, q *silence, d *heldThreads, f *timeline.Timeline) {
	var result finding.Finding
	switch {
	case q == nil:
		result = d.finding(f)
	case d != nil && !q.refused() && !q.reason().certain():
		result = d.finding(f)
		result.Evidence = append(result.Evidence, finding.Evidence{Text: q.attemptText()})
	default:
		result = q.finding(r.Threads).Finding
	}
	all := []finding.Candidate{{Finding: result}}
	number(all)
	insertSilence(r, all[0].Finding, q != nil && strings.HasPrefix(q.attempt.Message, notAsked))
	if q == nil {
		return
	}
	for i := range r.Threads {
		row := &r.Threads[i]
		if task, ok := q.last().Tasks[row.NativeID]; ok && row.NativeID != 0 {
			row.KernelState, row.WaitChannel = task.State, task.WaitChannel
		}
	}
}

// certain reports that the reason is proven: the JVM is gone, stopped or frozen.
func (r *reason) certain() bool { return r.gone || r.confidence == "" && r.severity == "" }

// insertSilence puts the finding in the order of severity, behind deadlocks. One on a JVM that was not asked is behind
// the finding on garbage collections or on a running thread that keeps its VM thread busy.
func insertSilence(r *Report, result finding.Finding, unasked bool) {
	at := 0
	for at < len(r.Findings) && (severityRank(r.Findings[at].Severity) < severityRank(result.Severity) ||
		StateOf(&r.Findings[at]) == Deadlocked) {
		at++
	}
	for i := range r.Findings {
		switch fd := &r.Findings[i]; fd.Kind {
		case finding.KindGCPressure, finding.KindHeapGrowth, finding.KindSpin, finding.KindHotThread:
			if unasked && fd.Severity != finding.Info && result.ExplainedBy == "" {
				result.ExplainedBy = cmp.Or(fd.ExplainedBy, fd.ID)
				at = max(at, i+1)
			}
		}
	}
	r.Findings = slices.Insert(r.Findings, at, result)
}
