package render

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/jstall/jstall/analysis"
	"github.com/jstall/jstall/analysis/finding"
)

const (
	statusTop  = 5    // rows of status
	workTop    = 10   // rows of most-work
	workStacks = 3    // stacks under them
	workDepth  = 15   // frames of each
	candidates = 10   // threads shown where no CPU is known
	leastShown = 0.05 // percent of a core that is not shown as 0.0
	leastStack = 1    // percent of a core that is worth a stack unasked
)

// work is the part of status on CPU: one line, and who uses most.
func (p *page) work() {
	if p.report.Capture.Dumps == 0 && processCores(p.report.Capture) == nil {
		return
	}
	p.section("CPU", plain(p.cpuLine()))
	rows := p.rows()
	if !p.options.Full && p.options.Thread == nil {
		rows = slices.DeleteFunc(rows, func(r row) bool { return r.percent == nil || *r.percent < leastUse })
	}
	p.busyTable(rows, p.top(statusTop))
	p.stacksOfChosen()
}

// mostWork is the view of threads by their CPU.
func (p *page) mostWork() {
	p.header()
	p.section("CPU", plain(p.cpuLine()))
	rows := p.rows()
	if p.options.Thread == nil {
		rows = slices.DeleteFunc(rows, row.offCPU)
	}
	switch {
	case p.options.Thread != nil:
		p.workTable(rows, p.top(max(1, len(rows))))
		p.stacksOf(rows)
	case known(rows):
		p.workers(rows)
	default:
		p.candidates(rows)
	}
	p.notes()
	p.footer()
}

// workers shows who used CPU, with the stacks of the first.
func (p *page) workers(rows []row) {
	all := len(rows)
	if !p.options.Full && p.options.Top == 0 {
		rows = slices.DeleteFunc(rows, row.idle)
	}
	top := p.top(workTop)
	p.workTable(rows, top)
	if idle := all - len(rows); idle > 0 {
		p.under(faint("and " + count(idle) + " that used almost no CPU (--full)"))
	}
	if p.options.Top > 0 {
		p.stacks(rows[:min(len(rows), top)], leastShown)
	} else {
		p.stacks(rows[:min(len(rows), workStacks)], leastStack)
	}
}

// top is how many rows a table has.
func (p *page) top(byDefault int) int {
	switch {
	case p.options.Top > 0:
		return p.options.Top
	case p.options.Full:
		return max(1, len(p.report.Threads))
	}
	return byDefault
}

// row is one thread, one group of the JVM's own threads, or virtual threads at one place, in a table of work.
type row struct {
	name            string
	id              string
	thread          *analysis.ThreadReport // nil for a group of the JVM's own; of virtual threads the oldest
	percent, cpu    *float64
	allocatedPerSec *float64
	threads         int
	state, frame    string
}

// rows are the threads that the options choose, most CPU first, those of unknown
// CPU last. The JVM's own threads are summed, unless threads are asked for by
// name or all tables in full. Of many virtual threads those at one place have one row, unless in full.
func (p *page) rows() []row {
	var rows []row
	var virtual []*analysis.ThreadReport
	groups := map[string]*row{}
	for i := range p.report.Threads {
		t := &p.report.Threads[i]
		if !p.chosen(t) {
			continue
		}
		name := p.grouping(t)
		if name == "" && t.Virtual() {
			virtual = append(virtual, t)
			continue
		}
		if name == "" {
			rows = append(rows, threadRow(t))
			continue
		}
		if groups[name] == nil {
			groups[name] = &row{name: name}
		}
		groups[name].add(t)
	}
	for _, name := range []string{"[GC]", "[JIT]", "[VM operations]", "[other JVM]"} {
		if g := groups[name]; g != nil {
			rows = append(rows, *g)
		}
	}
	rows = append(rows, p.virtualRows(virtual)...)
	slices.SortStableFunc(rows, byWork)
	return rows
}

// grouping names the group in whose row a thread is, empty if it has a row of its own.
func (p *page) grouping(t *analysis.ThreadReport) string {
	if p.options.Full || p.options.Thread != nil {
		return ""
	}
	return map[string]string{"gc": "[GC]", "jit": "[JIT]", "vm": "[VM operations]", "jvm": "[other JVM]"}[t.Role]
}

func threadRow(t *analysis.ThreadReport) row {
	r := row{
		name: nameInTable(t), id: idOf(t), thread: t, threads: t.Size(),
		percent: t.CPUPercent, cpu: t.CPUSeconds,
		state: orUnknown(t.State), frame: shownFrame(t),
	}
	if t.AllocatedBytes != nil && t.ObservedSeconds != nil && *t.ObservedSeconds > 0 {
		perSec := float64(*t.AllocatedBytes) / *t.ObservedSeconds
		r.allocatedPerSec = &perSec
	}
	return r
}

// add sums a thread into a group; its figures are of those that are known.
func (r *row) add(t *analysis.ThreadReport) {
	r.threads++
	r.percent = plus(r.percent, t.CPUPercent)
	r.cpu = plus(r.cpu, t.CPUSeconds)
	r.state, r.frame = "", ""
}

// plus adds what is known.
func plus(sum, x *float64) *float64 {
	if x == nil {
		return sum
	}
	total := *x
	if sum != nil {
		total += *sum
	}
	return &total
}

func byWork(a, b row) int {
	switch {
	case a.percent == nil && b.percent == nil:
		return 0
	case a.percent == nil:
		return 1
	case b.percent == nil:
		return -1
	}
	return cmp.Compare(*b.percent, *a.percent)
}

// idle reports that it is known to have used next to no CPU.
func (r row) idle() bool { return r.percent != nil && *r.percent < leastShown }

// offCPU reports virtual threads that are on no carrier. What one uses on a carrier is counted there.
func (r row) offCPU() bool { return r.thread != nil && r.thread.Virtual() && r.thread.Carrier == 0 }

func known(rows []row) bool {
	return slices.ContainsFunc(rows, func(r row) bool { return r.percent != nil })
}

// busyTable is the short table of status.
func (p *page) busyTable(rows []row, top int) {
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

// workTable is the full table of most-work.
func (p *page) workTable(rows []row, top int) {
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

// rowTable adds a table of threads and counts those that are not in it.
func (p *page) rowTable(t table, rest int, what string) {
	if len(t.rows) > 0 {
		p.table(t)
	}
	if rest > 0 {
		p.under(faint("and " + count(rest) + " more" + what + " (--top, --full)"))
	}
}

func (r row) nid() string {
	if r.thread == nil {
		return ""
	}
	return nativeID(r.thread.NativeID)
}

// shortNID is without the hexadecimal form.
func (r row) shortNID() string {
	nid, _, _ := strings.Cut(r.nid(), " ")
	return nid
}

func (r row) allocation() string {
	if r.allocatedPerSec == nil {
		return unknown
	}
	return byteSize(*r.allocatedPerSec)
}

func (r row) title() string {
	switch {
	case r.thread == nil:
		return r.name + " " + counted(r.threads, "thread")
	case r.thread.Carrier != 0 && !r.thread.Virtual():
		return fmt.Sprintf("%s carries #%d", r.name, r.thread.Carrier)
	}
	return r.name
}

// stacks shows the stacks of those rows that used at least so much CPU.
func (p *page) stacks(rows []row, least float64) {
	for _, r := range rows {
		t := r.thread
		used := r.percent != nil && *r.percent >= least
		if t == nil || len(t.Stack) == 0 || !used {
			continue
		}
		ref := finding.ThreadRef{Name: t.Name, ID: t.ID, NativeID: t.NativeID, CPUPercent: r.percent}
		p.heading(3, group{refs: []finding.ThreadRef{ref}, thread: t}.culprit()...)
		p.code(p.whole(t, depthOr(p.options.StackDepth, workDepth)))
	}
}

// candidates stands in for the table where no CPU time is known.
func (p *page) candidates(rows []row) {
	runnable := slices.DeleteFunc(rows, func(r row) bool {
		return r.thread == nil || r.thread.Role != "application" || r.state != "RUNNABLE"
	})
	if len(runnable) == 0 {
		p.under(plain("No application thread is RUNNABLE."))
		return
	}
	p.under(plain("RUNNABLE threads, which use CPU or wait in native code:"))
	p.workTable(runnable, p.top(candidates))
}
