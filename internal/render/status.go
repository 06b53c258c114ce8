package render

import (
	"cmp"
	"fmt"
	"slices"

	"jstall/analysis"
)

// status is the default view.
func (p *page) status() {
	p.header()
	p.findings()
	p.work()
	if p.options.Full && p.report.Capture.Dumps > 0 {
		p.waitingTable()
		p.lockTable()
	}
	p.notes()
	p.footer()
}

// waitingTable lists every thread that waits, those for the same thing together.
func (p *page) waitingTable() {
	w := p.waitingThreads()
	p.section("Waiting", plain(p.waitingSummary(w)))
	if len(w.all) == 0 {
		return
	}
	t := table{columns: []column{
		{title: "FOR", right: true, optional: true},
		{title: "THREAD", flexible: true},
		{title: "WAITS FOR"},
		{title: "OBJECT", flexible: true, optional: true},
		{title: "HELD BY", flexible: true, optional: true},
		{title: "FRAME", flexible: true, optional: true},
	}}
	for _, g := range resources(w.all) {
		for _, thread := range g {
			wait, owner := thread.WaitsFor, unknown
			if wait.Owner != nil {
				owner = quote(wait.Owner.Name)
			}
			t.add(plain(optDuration(wait.Seconds)), strong(quote(thread.Name)), plain(awaited(wait.Type)),
				quoted(orUnknown(object(wait))), plain(owner), quoted(shownFrame(thread)))
		}
	}
	p.table(t)
}

// lockTable lists the locks that are waited for, the most wanted first.
func (p *page) lockTable() {
	var waiting []*analysis.ThreadReport
	for i := range p.report.Threads {
		if t := &p.report.Threads[i]; t.WaitsFor != nil && isLock(t.WaitsFor) {
			waiting = append(waiting, t)
		}
	}
	locks := partition(waiting, func(t *analysis.ThreadReport) string { return object(t.WaitsFor) })
	slices.SortStableFunc(locks, func(a, b []*analysis.ThreadReport) int {
		return cmp.Or(cmp.Compare(len(b), len(a)), cmp.Compare(object(a[0].WaitsFor), object(b[0].WaitsFor)))
	})
	if len(locks) == 0 {
		p.section("Locks", plain("No thread waits for a lock."))
		return
	}
	p.section("Locks", plain(fmt.Sprintf("%s waited for", counted(len(locks), "lock"))))
	t := table{columns: []column{
		{title: "WAITERS", right: true},
		{title: "LOCK", flexible: true},
		{title: "HELD BY", flexible: true, optional: true},
		{title: "STATE", optional: true},
		{title: "FRAME", flexible: true, optional: true},
	}}
	for _, g := range locks {
		name, state, frame := unknown, unknown, unknown
		if owner := p.owner(g[0]); owner != nil {
			name, state, frame = quote(owner.Name), orUnknown(owner.State), shownFrame(owner)
		}
		t.add(plain(count(len(g))), quoted(orUnknown(object(g[0].WaitsFor))), strong(name), stateOfThread(state), quoted(frame))
	}
	p.table(t)
}
