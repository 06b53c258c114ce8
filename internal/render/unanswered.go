package render

import (
	"fmt"
	"slices"
	"strings"

	"github.com/jstall/jstall/analysis"
)

// unansweredTop is how many threads of a JVM that gave no dump status shows.
const unansweredTop = 8

// layUnanswered is any view of a JVM that gave no dump: the reason, and the kernel's facts about its threads.
func layUnanswered(p *page, v View) {
	failure := p.report.Error
	p.report = withoutError(p.report)
	p.header()
	showFindings(p)
	switch v {
	case Status, Threads, MostWork:
		showKernelThreads(p, v)
	default:
		p.section("Unknown", plain(unseen(v)))
	}
	p.notes()
	showSilentCost(p, failure)
}

// withoutError returns the report without the error that its finding explains better.
func withoutError(r *analysis.Report) *analysis.Report {
	c := *r
	c.Error = nil
	return &c
}

// unseen names what a view cannot show without a dump.
func unseen(v View) string {
	if v == Deadlock {
		return "whether there is a deadlock: no dump could be taken"
	}
	return "who waits for what: no dump could be taken"
}

func showKernelThreads(p *page, v View) {
	rows := make([]*analysis.ThreadReport, 0, len(p.report.Threads))
	for i := range p.report.Threads {
		if t := &p.report.Threads[i]; p.chosen(t) {
			rows = append(rows, t)
		}
	}
	p.section("Threads", plain(kernelStates(rows)))
	top := p.top(map[View]int{Status: unansweredTop, MostWork: workTop, Threads: max(1, len(rows))}[v])
	t := table{columns: []column{
		{title: "CPU %", right: true, optional: true},
		{title: "CPU TIME", right: true, optional: true, spare: true},
		{title: "OS"},
		{title: "WAITS IN", optional: true},
		{title: "NID"},
		{title: "THREAD", flexible: true},
	}}
	for _, r := range rows[:min(len(rows), top)] {
		t.add(plain(optPercent(r.CPUPercent)), plain(optDuration(r.CPUSeconds)), plain(orUnknown(r.KernelState)),
			quoted(orUnknown(r.WaitChannel)), plain(nativeID(r.NativeID)), strong(quote(r.Name)))
	}
	p.rowTable(t, len(rows)-top, "")
}

// kernelStates counts the threads by the kernel's letters for their states.
func kernelStates(rows []*analysis.ThreadReport) string {
	counts := map[string]int{}
	for _, r := range rows {
		counts[orUnknown(r.KernelState)]++
	}
	words := map[string]string{
		"R": "running", "S": "sleeping", "D": "in uninterruptible sleep", "T": "stopped", "t": "traced", "Z": "dead",
	}
	var parts []string
	for state, n := range counts {
		word := state
		if known, ok := words[state]; ok {
			word = known + " (" + state + ")"
		}
		parts = append(parts, fmt.Sprintf("%d %s", n, word))
	}
	slices.Sort(parts)
	text := counted(len(rows), "thread") + " in /proc, names cut to 15 bytes"
	if len(parts) > 0 {
		text += ": " + strings.Join(parts, ", ")
	}
	return text
}

// showSilentCost shows what the attempt has left behind.
func showSilentCost(p *page, failure *analysis.Failure) {
	c := p.report.Capture
	parts := []string{"no dump could be taken: this report is from /proc and the JVM's counters"}
	switch {
	case failure == nil || failure.Phase == "":
	case failure.Phase == "check":
		parts[0] = "nothing was sent to the JVM: this report is from /proc and the JVM's counters"
	default:
		parts[0] += " (attach ended in " + failure.Phase + ")"
	}
	if len(c.FilesLeft) == 0 {
		parts = append(parts, "no files left behind")
	} else {
		parts = append(parts, "left behind until it answers: "+strings.Join(c.FilesLeft, ", "))
	}
	p.section("Overhead", faint(strings.Join(parts, "; ")))
}

// layWithoutThreads replaces a view of threads when no thread is selected.
func layWithoutThreads(p *page, v View) {
	p.header()
	if v == Status {
		showFindings(p)
	}
	p.section("Threads", plain(p.fitsNone()))
	p.notes()
	p.footer()
}
