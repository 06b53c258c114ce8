package render

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"jstall/analysis"
)

const (
	statusTop   = 5  // rows of status
	workTop     = 10 // rows of most-work
	workStacks  = 3  // stacks under them
	workDepth   = 15 // frames of each
	candidates  = 10 // threads shown where no CPU is known
	leastShown  = 0.05
	fullPercent = 100
)

// work is the part of status on CPU: one line, and who uses most.
func (p *page) work() {
	p.heading(2, strong("CPU"))
	p.cpuLine()
	rows := p.rows()
	busy := slices.DeleteFunc(rows, func(r row) bool { return r.percent == nil || *r.percent < leastShown })
	p.rowTable(busy, p.top(statusTop), "that use CPU")
}

// mostWork is the view of threads by their CPU.
func (p *page) mostWork() {
	p.header()
	p.heading(2, strong("Most work"))
	p.cpuLine()
	rows := p.rows()
	if !known(rows) {
		p.candidates(rows)
	} else {
		top := p.top(workTop)
		p.rowTable(rows, top, "")
		p.stacks(rows[:min(len(rows), top, p.stackCount())])
	}
	p.notes()
	p.footer()
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

func (p *page) stackCount() int {
	if p.options.Top > 0 {
		return p.options.Top
	}
	return workStacks
}

// row is one thread, or one group of the JVM's own threads, in a table of work.
type row struct {
	name              string
	thread            *analysis.ThreadReport // nil for a group
	percent, cpu      *float64
	allocatedPerSec   *float64
	threads           int
	state, nid, frame string
}

// rows are the threads that the options choose, most CPU first, those of unknown
// CPU last. The JVM's own threads are summed, unless threads are asked for by
// name or all tables in full.
func (p *page) rows() []row {
	var rows []row
	groups := map[string]*row{}
	for i := range p.report.Threads {
		t := &p.report.Threads[i]
		if !p.chosen(t) {
			continue
		}
		name := groupOf(t)
		if name == "" || p.options.Full || p.options.Thread != nil {
			rows = append(rows, threadRow(t))
			continue
		}
		if groups[name] == nil {
			groups[name] = &row{name: name}
		}
		groups[name].add(t)
	}
	for _, name := range []string{"[GC]", "[JIT]", "[VM]", "[JVM]"} {
		if g := groups[name]; g != nil {
			rows = append(rows, *g)
		}
	}
	slices.SortStableFunc(rows, byWork)
	return rows
}

// chosen applies --thread and --no-native.
func (p *page) chosen(t *analysis.ThreadReport) bool {
	if p.options.NoNative && len(t.Stack) > 0 && isNative(t.Stack[0]) {
		return false
	}
	return p.options.Thread == nil || p.options.Thread(t.Name, t.NativeID)
}

// groupOf names the group of a thread that the JVM made for itself.
func groupOf(t *analysis.ThreadReport) string {
	return map[string]string{"gc": "[GC]", "jit": "[JIT]", "vm": "[VM]", "jvm": "[JVM]"}[t.Role]
}

func threadRow(t *analysis.ThreadReport) row {
	r := row{
		name: quote(t.Name), thread: t, threads: 1,
		percent: t.CPUPercent, cpu: t.CPUSeconds,
		state: orUnknown(t.State), nid: nativeID(t.NativeID), frame: shownFrame(t),
	}
	if t.AllocatedBytes != nil && t.ElapsedSeconds != nil && *t.ElapsedSeconds > 0 {
		perSec := float64(*t.AllocatedBytes) / *t.ElapsedSeconds
		r.allocatedPerSec = &perSec
	}
	return r
}

// add sums a thread into a group; its figures are of those that are known.
func (r *row) add(t *analysis.ThreadReport) {
	r.threads++
	r.percent = plus(r.percent, t.CPUPercent)
	r.cpu = plus(r.cpu, t.CPUSeconds)
	r.state, r.nid, r.frame = unknown, unknown, unknown
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

func known(rows []row) bool {
	return slices.ContainsFunc(rows, func(r row) bool { return r.percent != nil })
}

// rowTable shows the first rows and counts the others.
func (p *page) rowTable(rows []row, top int, what string) {
	if len(rows) == 0 {
		return
	}
	t := table{columns: []column{
		{title: "CPU %", right: true, optional: true},
		{title: "CPU TIME", right: true, optional: true},
		{title: "ALLOC/S", right: true, optional: true},
		{title: "STATE", optional: true},
		{title: "NID", optional: true},
		{title: "THREAD", flexible: true},
		{title: "FRAME", flexible: true, optional: true},
	}}
	for _, r := range rows[:min(len(rows), top)] {
		t.add(plain(optPercent(r.percent)), plain(optDuration(r.cpu)), plain(r.allocation()),
			stateOfThread(r.state), plain(r.nid), strong(r.title()), quoted(r.frame))
	}
	p.table(t)
	if rest := len(rows) - top; rest > 0 {
		p.line("", faint(strings.TrimSpace(fmt.Sprintf("and %s more %s", count(rest), what))+" (--top, --full)"))
	}
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
	case r.thread.Carrier != 0 && r.thread.Kind != "virtual":
		return fmt.Sprintf("%s carries #%d", r.name, r.thread.Carrier)
	}
	return r.name
}

// stacks shows the stacks under a table of work.
func (p *page) stacks(rows []row) {
	for _, r := range rows {
		if r.thread == nil || len(r.thread.Stack) == 0 || r.percent == nil || *r.percent < leastShown {
			continue
		}
		t := r.thread
		p.heading(3, strong(quote(t.Name)), plain(identity(t.ID, t.NativeID)),
			plain(fmt.Sprintf(", %s, %s %% CPU", orUnknown(t.State), percent(*r.percent))))
		p.code(p.whole(t, depthOr(p.options.StackDepth, workDepth)))
	}
}

// candidates stands in for the table where no CPU time is known.
func (p *page) candidates(rows []row) {
	runnable := slices.DeleteFunc(rows, func(r row) bool {
		return r.thread == nil || r.thread.Role != "application" || r.state != "RUNNABLE"
	})
	if len(runnable) == 0 {
		p.line("", plain("No application thread is RUNNABLE in the last dump."))
		return
	}
	p.line("", plain("RUNNABLE in the last dump, which does not prove that they used CPU:"))
	p.rowTable(runnable, p.top(candidates), "")
}

// cpuLine says how many cores were used, and by whom.
func (p *page) cpuLine() {
	use := sumCPU(p.report.Threads)
	total := processCores(p.report.Capture)
	if !use.known && total == nil {
		p.line("", plain("CPU use is unknown: "+whyNoCPU(p.report.Capture)+"."))
		return
	}
	p.line("", plain(use.text(total)))
}

// cpuUse is the CPU of a report's threads in percent of one core, by role.
type cpuUse struct {
	known   bool
	unknown int // threads of the operating system without a figure
	byRole  map[string]float64
	sum     float64
}

func sumCPU(threads []analysis.ThreadReport) cpuUse {
	use := cpuUse{byRole: map[string]float64{}}
	for i := range threads {
		t := &threads[i]
		switch {
		case t.CPUPercent != nil:
			use.known = true
			use.byRole[t.Role] += *t.CPUPercent
			use.sum += *t.CPUPercent
		case t.Kind != "virtual":
			use.unknown++
		}
	}
	return use
}

// processCores is the CPU of the whole process in percent of one core, nil if
// unknown.
func processCores(c analysis.Capture) *float64 {
	if c.CPUSeconds == nil || c.ElapsedSeconds == nil || *c.ElapsedSeconds <= 0 {
		return nil
	}
	share := *c.CPUSeconds / *c.ElapsedSeconds * fullPercent
	return &share
}

// text is "2.31 cores: application 1.90, GC 0.30, JIT 0.08, other 0.03".
func (u cpuUse) text(total *float64) string {
	var parts []string
	for _, role := range []struct{ key, name string }{
		{"application", "application"}, {"gc", "GC"}, {"jit", "JIT"}, {"vm", "VM"}, {"jvm", "JVM's Java threads"},
	} {
		if share, ok := u.byRole[role.key]; ok && (share >= 0.5 || role.key == "application") {
			parts = append(parts, role.name+" "+cores(share))
		}
	}
	head := cores(u.sum) + " cores used by the threads of the dumps"
	if total != nil {
		head = cores(*total) + " cores used"
		if other := *total - u.sum; u.known && other >= 0.5 {
			parts = append(parts, "other "+cores(other))
		}
	}
	text := head
	if len(parts) > 0 {
		text += ": " + strings.Join(parts, ", ")
	}
	if u.known && u.unknown > 0 {
		text += fmt.Sprintf(" (unknown for %s)", counted(u.unknown, "thread"))
	}
	return text
}

func whyNoCPU(c analysis.Capture) string {
	switch c.Dumps {
	case 0:
		return "there is no dump"
	case 1:
		return "one dump cannot tell it, two or more can"
	}
	return "these dumps carry no CPU times (JDK 8 prints none), and /proc was not there to ask"
}
