package render

import (
	"slices"

	"github.com/jstall/jstall/analysis/finding"
)

const (
	statusTop  = 5  // rows of status
	workStacks = 3  // stacks under them
	workDepth  = 15 // frames of each
	candidates = 10 // threads shown if no CPU time is known
	leastStack = 1  // percent of a core from which on a stack is shown by default
)

// showWork is the part of status on CPU: one line, and the threads with the highest use.
func showWork(p *page) {
	if p.report.Capture.Dumps == 0 && processCores(p.report.Capture) == nil {
		return
	}
	p.section("CPU", plain(p.cpuLine()))
	rows := p.rows()
	if !p.options.Full && p.options.Thread == nil {
		rows = slices.DeleteFunc(rows, func(r row) bool { return r.percent == nil || *r.percent < leastUse })
	}
	showBusyTable(p, rows, p.top(statusTop))
	p.stacksOfChosen()
}

// layMostWork is the view of threads by their CPU.
func layMostWork(p *page) {
	p.header()
	p.section("CPU", plain(p.cpuLine()))
	rows := p.rows()
	if p.options.Thread == nil {
		rows = slices.DeleteFunc(rows, row.offCPU)
	}
	switch {
	case p.options.Thread != nil:
		showWorkTable(p, rows, p.top(max(1, len(rows))))
		p.stacksOf(rows)
	case known(rows):
		showWorkers(p, rows)
	default:
		showCandidates(p, rows)
	}
	p.notes()
	p.footer()
}

// showWorkers shows the threads that used CPU, with the stacks of the first.
func showWorkers(p *page, rows []row) {
	all := len(rows)
	if !p.options.Full && p.options.Top == 0 {
		rows = slices.DeleteFunc(rows, row.idle)
	}
	top := p.top(workTop)
	showWorkTable(p, rows, top)
	if idle := all - len(rows); idle > 0 {
		p.under(faint("and " + count(idle) + " that used almost no CPU (--full)"))
	}
	if p.options.Top > 0 {
		showStacks(p, rows[:min(len(rows), top)], leastShown)
	} else {
		showStacks(p, rows[:min(len(rows), workStacks)], leastStack)
	}
}

// showBusyTable is the short table of status.
func showBusyTable(p *page, rows []row, top int) {
	t := table{columns: []column{
		{title: "CPU %", right: true, optional: true},
		{title: "CPU TIME", right: true, optional: true, spare: true},
		{title: "STATE", optional: true},
		{title: "NID", right: true, optional: true},
		{title: "THREAD", flexible: true},
		{title: "FRAME", flexible: true, optional: true},
	}}
	for _, r := range rows[:min(len(rows), top)] {
		t.add(plain(optPercent(r.percent)), plain(optDuration(r.cpu)),
			stateOfThread(r.state), plain(r.shortNID()), strong(r.title()), quoted(r.frame))
	}
	p.rowTable(t, len(rows)-top, " that use CPU")
}

// showWorkTable is the full table of most-work.
func showWorkTable(p *page, rows []row, top int) {
	t := table{columns: []column{
		{title: "CPU %", right: true, optional: true},
		{title: "CPU TIME", right: true, optional: true, spare: true},
		{title: "ALLOC/S", right: true, optional: true, spare: true},
		{title: "STATE", optional: true},
		{title: "NID", optional: true},
		{title: "THREAD", flexible: true},
		{title: "FRAME", flexible: true, optional: true},
	}}
	for _, r := range rows[:min(len(rows), top)] {
		t.add(plain(optPercent(r.percent)), plain(optDuration(r.cpu)), plain(r.allocation()),
			stateOfThread(r.state), plain(r.nid()), strong(r.title()), quoted(r.frame))
	}
	p.rowTable(t, len(rows)-top, "")
}

// showStacks shows the stacks of the rows that used at least that much CPU.
func showStacks(p *page, rows []row, least float64) {
	for _, r := range rows {
		t := r.thread
		used := r.percent != nil && *r.percent >= least
		if t == nil || len(t.Stack) == 0 || !used {
			continue
		}
		ref := finding.ThreadRef{Name: t.Name, ID: t.ID, NativeID: t.NativeID, CPUPercent: r.percent}
		p.heading(3, group{refs: []finding.ThreadRef{ref}, thread: t}.culprit()...)
		p.code(wholeStack(p, t, depthOr(p.options.StackDepth, workDepth)))
	}
}

// showCandidates replaces the table if no CPU time is known.
func showCandidates(p *page, rows []row) {
	runnable := slices.DeleteFunc(rows, func(r row) bool {
		return r.thread == nil || r.thread.Role != "application" || r.state != "RUNNABLE"
	})
	if len(runnable) == 0 {
		p.under(plain("No application thread is RUNNABLE."))
		return
	}
	p.under(plain("RUNNABLE threads, which use CPU or wait in native code:"))
	showWorkTable(p, runnable, p.top(candidates))
}
