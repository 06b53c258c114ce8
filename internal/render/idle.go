package render

import (
	"fmt"

	"github.com/jstall/jstall/analysis"
	"github.com/jstall/jstall/analysis/stack"
)

// idlePlaces is how many places of idle threads the default view names.
const idlePlaces = 3

// showIdleInProgram counts, in one line, the idle threads that wait without a time limit in a method of the program, as
// missing work may be the problem. It leaves out main and workers without such a method.
func showIdleInProgram(p *page) {
	var idle []*analysis.ThreadReport
	for i := range p.report.Threads {
		if t := &p.report.Threads[i]; p.chosen(t) && t.Role == "application" && waitsIdle(t) {
			idle = append(idle, t)
		}
	}
	if len(idle) == 0 {
		return
	}
	sortByName(idle)
	places := partition(idle, place)
	var text []span
	for i, same := range places[:min(len(places), idlePlaces)] {
		if i > 0 {
			text = append(text, plain("; "))
		}
		text = append(text, strong(names(same)), plain(" in "), quoted(place(same[0])))
	}
	if rest := len(places) - idlePlaces; rest > 0 {
		text = append(text, faint(fmt.Sprintf("; %s at %s", counted(sumThreads(places[idlePlaces:]), "thread"),
			counted(rest, "more place"))))
	}
	p.section("Idle", text...)
}

// waitsIdle reports whether an idle thread, other than main, waits without a time limit in a method of the program.
func waitsIdle(t *analysis.ThreadReport) bool {
	return t.Idle != "" && t.Idle != "main" && t.Frame != "" && stack.IsApplication(t.Frame) &&
		(t.State == "WAITING" || t.WaitsFor != nil && t.WaitsFor.Unlimited)
}
