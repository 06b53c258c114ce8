package render

import (
	"github.com/jstall/jstall/analysis/finding"
)

// layThreads is the view of all threads.
func layThreads(p *page) {
	p.header()
	rows := p.rows()
	p.section("Threads", plain(threadStates(p)))
	showThreadTable(p, rows, p.top(max(1, len(rows))))
	showUnlistedVirtual(p)
	if !known(rows) && len(rows) > 0 {
		p.section("CPU", plain(p.cpuLine()))
	}
	p.stacksOfChosen()
	p.notes()
	p.footer()
}

// threadStates counts the threads by their state, platform threads and virtual ones separately:
// "21 platform threads: 20 WAITING, 1 RUNNABLE; 1,028 virtual (2 mounted): 1,028 WAITING; 14 threads of the JVM".
func threadStates(p *page) string {
	platform, virtual, grouped, mounted := stateCounts{}, stateCounts{}, 0, 0
	for i := range p.report.Threads {
		t := &p.report.Threads[i]
		switch {
		case !p.chosen(t):
		case p.grouping(t) != "":
			grouped++
		case t.Virtual():
			virtual[t.State] += t.Size()
			mounted += finding.CountIf(t.Carrier != 0)
		default:
			platform[t.State]++
		}
	}
	if v := p.report.VirtualThreads; v != nil && p.options.Thread == nil && !p.options.NoNative {
		virtual, mounted = v.States, intOr(v.Mounted, mounted)
	}
	text := counted(platform.sum(), "thread") + platform.words()
	if n := virtual.sum(); n > 0 && platform.sum() == 0 {
		text = counted(n, "virtual thread") + mountedWords(mounted) + virtual.words()
	} else if n > 0 {
		of := ""
		if grouped > 0 {
			of = " of the application"
		}
		text = counted(platform.sum(), "platform thread") + of + platform.words() + "; " + count(n) + " virtual" +
			mountedWords(mounted) + virtual.words()
	}
	if grouped > 0 {
		text += "; " + counted(grouped, "thread") + " of the JVM"
	}
	return text
}

func showThreadTable(p *page, rows []row, top int) {
	if len(rows) == 0 {
		p.line("", plain("--no-native leaves out all threads."))
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
		kernel := ""
		if r.thread != nil {
			kernel = orUnknown(r.thread.KernelState)
		}
		t.add(plain(r.id), plain(r.nid()), stateOfThread(r.state), plain(optPercent(r.percent)),
			plain(optDuration(r.cpu)), plain(kernel), strong(r.title()), quoted(r.frame))
	}
	p.rowTable(t, len(rows)-top, "")
}
