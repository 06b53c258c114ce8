package render

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/jstall/jstall/analysis"
	"github.com/jstall/jstall/analysis/stack"
	"github.com/jstall/jstall/internal/order"
)

const (
	waitingTop    = 8 // resources shown
	waitingPlaces = 3 // places of waiters shown for each
)

// layWaitingThreads is the view of what threads wait for.
func layWaitingThreads(p *page) {
	if p.nothingKnown() {
		return
	}
	p.header()
	w := waitingThreads(p)
	summary := waitingSummary(p, w)
	if p.report.Capture.Dumps == 1 && len(w.all) > 0 {
		summary += ". How long is unknown: one dump. " + p.takeTwo()
	}
	p.section("Waiting", plain(summary))
	groups := resources(w.all)
	top := p.top(waitingTop)
	for i, g := range groups[:min(top, len(groups))] {
		showResource(p, i+1, g)
	}
	if rest := len(groups) - top; rest > 0 {
		p.gap()
		p.line("", faint(fmt.Sprintf("and %s for %s (--top, --full)",
			threadsWait(sumThreads(groups[top:])), counted(rest, "more object"))))
	}
	p.stacksOfChosen()
	p.notes()
	p.footer()
}

func waitingSummary(p *page, w waiting) string {
	text := threadsWait(sizeOf(w.all))
	switch n := sizeOf(virtualOnly(w.all)); {
	case len(w.all) == 0:
		text = p.noThread() + " waits"
	case n == sizeOf(w.all):
		text = counted(n, "virtual thread") + verb(n, " waits", " wait")
	case n > 0:
		text += " (" + count(n) + " virtual)"
	}
	if p.report.Capture.Dumps > 1 && !p.options.Full {
		text += throughout(p, w.all)
	}
	if n := sizeOf(w.brief); n > 0 {
		text += fmt.Sprintf("; %s in part of the capture only (--full)", count(n))
	}
	if w.idle > 0 {
		text += fmt.Sprintf("; %s excluded", counted(w.idle, "idle thread"))
	}
	return text
}

// virtualOnly returns those of the threads that are virtual.
func virtualOnly(threads []*analysis.ThreadReport) []*analysis.ThreadReport {
	return slices.DeleteFunc(slices.Clone(threads), func(t *analysis.ThreadReport) bool { return !t.Virtual() })
}

// throughout says whether threads that wait in each dump waited all the time. A thread that used CPU in between was
// woken; one whose CPU time is not known may be in another wait than before.
func throughout(p *page, threads []*analysis.ThreadReport) string {
	woken, others := 0, 0
	for _, t := range threads {
		switch {
		case t.WaitsFor.Seconds != nil:
		case t.CPUSeconds == nil && t.Virtual():
			others += t.Size()
		default:
			woken += t.Size()
		}
	}
	if woken+others == 0 || p.report.Capture.ElapsedSeconds == nil {
		return " over the whole capture"
	}
	text := fmt.Sprintf(" in each of %d dumps", p.report.Capture.Dumps)
	if woken == sizeOf(threads) {
		return text + ", and used CPU in between"
	}
	if woken > 0 {
		text += fmt.Sprintf("; %s of them used CPU in between", count(woken))
	}
	if others > 0 {
		text += fmt.Sprintf("; %s of them may be in another wait than before", count(others))
	}
	return text
}

// resourceKey distinguishes what threads wait for.
type resourceKey struct {
	kind, class, address, operation string
	owned                           bool
}

// resources groups threads by what they wait for: locks with an owner first, waits that only time ends last, and within
// a rank those with the most waiters first. Objects with a single waiter, such as futures, are grouped only by their
// class.
func resources(threads []*analysis.ThreadReport) [][]*analysis.ThreadReport {
	at := map[string]int{}
	for _, t := range threads {
		at[object(t.WaitsFor)] += t.Size()
	}
	sortByName(threads)
	groups := partition(threads, func(t *analysis.ThreadReport) resourceKey {
		w := t.WaitsFor
		key := resourceKey{kind: w.Type, class: w.Class, address: w.Address, owned: w.Owner != nil}
		if w.Owner == nil && at[object(w)] == 1 {
			key.address = ""
		}
		if !isLock(w) && key.address == "" {
			key.operation = w.Operation
		}
		return key
	})
	order.SortStable(groups, func(a, b []*analysis.ThreadReport) int {
		return cmp.Compare(waitRank(a[0].WaitsFor), waitRank(b[0].WaitsFor))
	})
	return groups
}

// showResource shows the threads that wait for one thing.
func showResource(p *page, number int, g []*analysis.ThreadReport) {
	p.heading(3, append([]span{plain(fmt.Sprintf("%d. ", number))}, resourceTitle(p, g)...)...)
	if owner := p.owner(g[0]); owner != nil {
		p.itemCut(ownerLabel(g[0].WaitsFor), holder(p, owner)...)
	}
	places := partition(g, stateAndFrames)
	most := len(places)
	if !p.options.Full {
		most = min(most, waitingPlaces)
	}
	for _, same := range places[:most] {
		text := []span{strong(names(same))}
		if sizeOf(same) == 1 {
			text = withID(refOf(same[0]), ",")
		}
		p.itemCut("Waiting", append(text, whereabouts(same[0], longest(same))...)...)
		if p.options.StackDepth > 0 || p.options.Full {
			p.itemCode(wholeStack(p, same[0], p.options.StackDepth))
		}
	}
	if rest := sumThreads(places[most:]); rest > 0 {
		p.item("", faint(fmt.Sprintf("and %s at %s (--full)", count(rest), counted(len(places)-most, "more place"))))
	}
}

// ownerLabel introduces the thread that decides when a wait ends.
func ownerLabel(w *analysis.Wait) string {
	switch w.Type {
	case "thread end":
		return "Thread"
	case "result":
		return "Run by"
	}
	return "Held by"
}

// resourceTitle is "8 threads wait for a monitor: com.acme.Cache <0x…>".
func resourceTitle(p *page, g []*analysis.ThreadReport) []span {
	w := g[0].WaitsFor
	out := []span{strong(threadsWait(sizeOf(g)) + " for " + stack.WaitWords(w.Type))}
	shared := w.Address == g[len(g)-1].WaitsFor.Address
	switch {
	case shared && object(w) != "":
		out = append(out, plain(": "), quoted(object(w)))
	case w.Class != "":
		out = append(out, plain(", each for another "), quoted(w.Class))
	}
	if w.Operation != "" {
		out = append(out, plain(" in "), quoted(w.Operation))
	}
	return out
}
