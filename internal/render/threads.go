package render

import (
	"fmt"
	"slices"
	"strings"
)

// threads is the view of all threads.
func (p *page) threads() {
	p.header()
	rows := p.rows()
	p.section("Threads", plain(p.states()))
	p.threadTable(rows, p.top(max(1, len(rows))))
	p.virtual(virtualTop)
	if !known(rows) && len(rows) > 0 {
		p.section("CPU", plain(p.cpuLine()))
	}
	p.stacksOfChosen()
	p.notes()
	p.footer()
}

// stacksOf shows the stacks of the threads that were asked for.
func (p *page) stacksOf(rows []row) {
	for _, r := range rows[:min(len(rows), p.top(max(1, len(rows))))] {
		if r.thread == nil || len(r.thread.Stack) == 0 {
			continue
		}
		p.heading(3, strong(r.title()))
		p.code(p.whole(r.thread, depthOr(p.options.StackDepth, 1<<20)))
	}
}

// states counts the threads that have rows of their own by their state, and those of the groups:
// "21 threads: 20 WAITING, 1 RUNNABLE; 14 threads of the JVM".
func (p *page) states() string {
	counts := map[string]int{}
	total, stateless, grouped := 0, 0, 0
	for i := range p.report.Threads {
		t := &p.report.Threads[i]
		if !p.chosen(t) || !p.listed(t) {
			continue
		}
		if p.grouping(t) != "" {
			grouped++
			continue
		}
		total++
		if t.State == "" {
			stateless++
			continue
		}
		counts[t.State]++
	}
	var names []string
	for name := range counts {
		names = append(names, name)
	}
	slices.SortFunc(names, func(a, b string) int {
		if counts[a] != counts[b] {
			return counts[b] - counts[a]
		}
		return strings.Compare(a, b)
	})
	parts := make([]string, len(names))
	for i, name := range names {
		parts[i] = count(counts[name]) + " " + name
	}
	if stateless > 0 {
		parts = append(parts, count(stateless)+" unknown")
	}
	text := counted(total, "thread")
	if len(parts) > 0 {
		text += ": " + strings.Join(parts, ", ")
	}
	if grouped > 0 {
		text += "; " + counted(grouped, "thread") + " of the JVM"
	}
	return text
}

func (p *page) threadTable(rows []row, top int) {
	if len(rows) == 0 {
		p.line("", plain("No thread is left by --no-native."))
		return
	}
	t := table{columns: []column{
		{title: "ID", right: true},
		{title: "NID"},
		{title: "STATE"},
		{title: "CPU %", right: true, optional: true},
		{title: "CPU TIME", right: true, optional: true, spare: true},
		{title: "OS", optional: true, spare: true},
		{title: "THREAD", flexible: true},
		{title: "FRAME", flexible: true, optional: true},
	}}
	for _, r := range rows[:min(len(rows), top)] {
		id, kernel := "", ""
		if r.thread != nil {
			kernel = orUnknown(r.thread.KernelState)
			if r.thread.ID != 0 {
				id = fmt.Sprintf("#%d", r.thread.ID)
			}
		}
		t.add(plain(id), plain(r.nid()), stateOfThread(r.state), plain(optPercent(r.percent)),
			plain(optDuration(r.cpu)), plain(kernel), strong(r.title()), quoted(r.frame))
	}
	p.rowTable(t, len(rows)-top, "")
}
