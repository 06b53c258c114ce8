package analysis

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/jstall/jstall/analysis/detect"
	"github.com/jstall/jstall/analysis/facts"
	"github.com/jstall/jstall/analysis/facts/unanswered"
	"github.com/jstall/jstall/analysis/finding"
)

// runUnanswered are the findings of some detectors on a JVM that does not answer, or does not run its threads. Why a
// JVM gave no dump is reported whichever kinds of findings are wanted.
func runUnanswered(detectors []detect.Detector, u *unanswered.JVM, f *facts.Facts, opts Options) []finding.Candidate {
	var all []finding.Candidate
	for _, d := range detectors {
		if d.RunUnanswered == nil || u == nil && !opts.wants(d.Kind) {
			continue
		}
		for _, c := range d.RunUnanswered(u, f) {
			c.Kind = d.Kind
			all = append(all, c)
		}
	}
	return all
}

// withoutDumps fills in the report on a JVM that gave no dump.
func (r *Report) withoutDumps(u *unanswered.JVM, opts Options) {
	all := runUnanswered(detectors, u, nil, opts)
	number(all)
	for _, c := range all {
		r.Findings = append(r.Findings, c.Finding)
	}
	if len(r.Findings) > 0 {
		r.Verdict = verdictWithoutDumps(&r.Findings[0])
	}
	r.Capture.Source = "procfs"
	if first, last := u.First().ProcessCPU, u.Last().ProcessCPU; len(u.Moments) > 1 && first.Known && last.Known {
		r.Capture.ElapsedSeconds = finding.Rounded(u.Wall().Seconds(), 1e5)
		r.Capture.CPUSeconds = finding.Rounded((last.Value - first.Value).Seconds(), 1e5)
	}
	for _, t := range u.BusiestWhere(func(*unanswered.Thread) bool { return true }) {
		r.Threads = append(r.Threads, kernelThreadReport(t))
	}
}

// verdictWithoutDumps is the verdict on a JVM that gave no dump: why it gave none, and the culprit where the title does
// not name it.
func verdictWithoutDumps(f *finding.Finding) Verdict {
	if f.Kind != finding.KindJVMUnresponsive {
		return Verdict{Degraded, f.Title}
	}
	summary := f.Title
	if len(f.Culprits) > 0 && !strings.Contains(f.Title, finding.QuoteName(f.Culprits[0].Name)) {
		summary += ", " + finding.QuoteName(f.Culprits[0].Name) + " (nid " +
			strconv.FormatInt(f.Culprits[0].NativeID, 10) + ")"
	}
	return Verdict{Unresponsive, summary}
}

// kernelThreadReport is the row of a thread that the kernel alone shows.
func kernelThreadReport(t *unanswered.Thread) ThreadReport {
	row := ThreadReport{
		Name: t.Name, Kind: t.Kind, Role: t.Role.String(), NativeID: t.NativeID,
		CPUSeconds: inSeconds(t.CPU()), RunQueueSeconds: inSeconds(t.RunQueue()),
		KernelState: t.Last.State, WaitChannel: t.Last.WaitChannel,
		Stack: []string{}, Locks: []string{},
	}
	if t.Measurable() {
		row.ObservedSeconds = finding.Rounded(t.Wall.Seconds(), 1e5)
		row.CPUPercent = t.Ref().CPUPercent
	}
	return row
}

// addUnanswered adds the findings on a JVM that gave no answer after its first dumps, or that a debugger holds, and the
// states of its threads at the last moment.
func (r *Report) addUnanswered(u *unanswered.JVM, f *facts.Facts, opts Options) {
	notAsked := false
	if u != nil {
		_, notAsked = u.NotAsked()
	}
	all := runUnanswered(detectors, u, f, opts)
	number(all, r.Findings...)
	for _, c := range all {
		r.insertUnanswered(c.Finding, notAsked)
	}
	if u == nil {
		return
	}
	for i := range r.Threads {
		row := &r.Threads[i]
		if task, ok := u.Last().Tasks[row.NativeID]; ok && row.NativeID != 0 {
			row.KernelState, row.WaitChannel = task.State, task.WaitChannel
		}
	}
}

// insertUnanswered puts the finding in the order of severity, behind deadlocks. One on a JVM that was not asked is
// behind the finding on garbage collections or on a running thread that keeps its VM thread busy.
func (r *Report) insertUnanswered(result finding.Finding, notAsked bool) {
	at := 0
	for at < len(r.Findings) && (severityRank(r.Findings[at].Severity) < severityRank(result.Severity) ||
		StateOf(&r.Findings[at]) == Deadlocked) {
		at++
	}
	for i := range r.Findings {
		switch fd := &r.Findings[i]; fd.Kind {
		case finding.KindGCPressure, finding.KindHeapGrowth, finding.KindSpin, finding.KindHotThread:
			if notAsked && fd.Severity != finding.Info && result.ExplainedBy == "" {
				result.ExplainedBy = cmp.Or(fd.ExplainedBy, fd.ID)
				at = max(at, i+1)
			}
		}
	}
	r.Findings = slices.Insert(r.Findings, at, result)
}
