package render

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/jstall/jstall/analysis"
	"github.com/jstall/jstall/analysis/finding"
	"github.com/jstall/jstall/analysis/stack"
	"github.com/jstall/jstall/internal/order"
)

// layStatus is the default view.
func layStatus(p *page) {
	p.header()
	showFindings(p)
	showWork(p)
	switch {
	case p.report.Capture.Dumps == 0:
	case p.options.Full:
		showWaitingTable(p)
		showLockTable(p)
	default:
		showWhoWaits(p)
		showIdleInProgram(p)
	}
	showVirtual(p)
	p.notes()
	p.footer()
}

// blamed reports whether a finding names a problem; an info is only a hint.
func blamed(p *page) bool {
	return slices.ContainsFunc(p.report.Findings, func(f finding.Finding) bool { return f.Severity != finding.Info })
}

// placesShown is how many places of waiting threads the default view shows.
const placesShown = 5

// showWhoWaits shows what the program's threads wait for. With a finding it shows those that wait without a time limit
// and that no finding names.
func showWhoWaits(p *page) {
	w := waitingThreads(p)
	w.all = slices.DeleteFunc(w.all, func(t *analysis.ThreadReport) bool { return t.Role != "application" })
	summary := waitingSummary(p, w)
	if len(w.all) == 0 { // as in a recording that shows threads started after its first dump
		w.all = slices.DeleteFunc(w.brief, func(t *analysis.ThreadReport) bool {
			return t.Role != "application" || !t.WaitsFor.Unlimited
		})
	}
	if blamed(p) {
		w.all = unexplained(p, w.all)
		summary = othersWait(w.all) + " without a time limit"
	} else if named := namedIn(p.report.Findings); len(named) > 0 {
		w.all = slices.DeleteFunc(w.all, func(t *analysis.ThreadReport) bool { return named[keyOf(refOf(t))] })
		summary = othersWait(w.all)
	}
	if len(w.all) == 0 {
		return
	}
	places, others := waitPlaces(w.all), 0
	places = slices.DeleteFunc(places, func(same []*analysis.ThreadReport) bool {
		if !forTimeOrFile(same) {
			return false
		}
		others += sizeOf(same)
		return true
	})
	if len(places) == 0 {
		p.section("Waiting", plain(summary+", for a time or a file (jstall waiting-threads)"))
		return
	}
	p.section("Waiting", plain(summary))
	for _, same := range places[:min(len(places), placesShown)] {
		p.under(placeOfWait(same)...)
	}
	if more := morePlaces(places[min(len(places), placesShown):], others); more != "" {
		p.under(faint(more + " (jstall waiting-threads)"))
	}
}

// morePlaces counts what the default view does not list: the threads at other places, and those that wait for a time or
// a file.
func morePlaces(places [][]*analysis.ThreadReport, others int) string {
	var more []string
	if len(places) > 0 {
		more = append(more, counted(sumThreads(places), "thread")+" at "+counted(len(places), "more place"))
	}
	if others > 0 {
		more = append(more, counted(others, "thread")+" that "+verb(others, "waits", "wait")+" for a time or a file")
	}
	if len(more) == 0 {
		return ""
	}
	return "and " + strings.Join(more, ", ")
}

// forTimeOrFile reports whether threads wait for a time or a file, and not in one wait through several dumps. One dump
// cannot show that a file takes long.
func forTimeOrFile(threads []*analysis.ThreadReport) bool {
	return !slices.ContainsFunc(threads, func(t *analysis.ThreadReport) bool {
		w := t.WaitsFor
		return w.Unlimited || w.Seconds != nil || w.Dumps == 1 && w.Type != "input or output"
	})
}

// waitPlaces groups waiting threads by what they wait for and the application's method they are in: those without a
// time limit first, locks with an owner before all others.
func waitPlaces(threads []*analysis.ThreadReport) [][]*analysis.ThreadReport {
	places := partition(threads, func(t *analysis.ThreadReport) string {
		w, at := t.WaitsFor, stateAndFrames(t)
		if t.Frame != "" {
			at = t.Frame
		}
		owner := ""
		if w.Owner != nil {
			owner = called(*w.Owner)
		}
		return strings.Join([]string{w.Type, w.State, owner, strconv.FormatBool(w.Unlimited), at}, "\n")
	})
	order.SortStable(places, func(a, b []*analysis.ThreadReport) int {
		x, y := a[0].WaitsFor, b[0].WaitsFor
		if x.Unlimited != y.Unlimited {
			if x.Unlimited {
				return -1
			}
			return 1
		}
		return cmp.Compare(waitRank(x), waitRank(y))
	})
	return places
}

// placeOfWait is `"loader" has waited ≥ 2.00 s for a CountDownLatch (count 1) in Loader.await(Loader.java:31)`.
func placeOfWait(same []*analysis.ThreadReport) []span {
	w := same[0].WaitsFor
	text := haveWaited(same) + " for " + stack.WaitWords(w.Type)
	switch {
	case w.Owner != nil && (isLock(w) || w.Type == "permit"):
		text += " held by " + called(*w.Owner)
	case w.Owner != nil:
		text += " (" + called(*w.Owner) + ")"
	case w.State != "":
		text += " (" + w.State + ")"
	}
	out := []span{strong(names(same)), plain(text)}
	f := place(same[0])
	if slices.ContainsFunc(same, func(t *analysis.ThreadReport) bool { return place(t) != f }) {
		f = same[0].Frame // each thread is in another line of the method
	}
	if f != "" {
		out = append(out, plain(" in "), quoted(f))
	}
	return out
}

// haveWaited is " has waited ≥ 2.00 s", the shortest time that the capture proves for all of the threads. If it proves
// none for some, which were woken or may be in another wait than before, it is " wait (2 of them ≥ 2.00 s)". One dump
// shows no time.
func haveWaited(threads []*analysis.ThreadReport) string {
	var least *float64
	n, proven := sizeOf(threads), 0
	for _, t := range threads {
		if s := t.WaitsFor.Seconds; s != nil {
			proven += t.Size()
			if least == nil || *s < *least {
				least = s
			}
		}
	}
	switch dumps := threads[0].WaitsFor.Dumps; {
	case least != nil && proven == n:
		return verb(n, " has", " have") + " waited ≥ " + duration(*least)
	case least != nil:
		return fmt.Sprintf(" wait (%s of them ≥ %s)", count(proven), duration(*least))
	case dumps > 1:
		return verb(n, " waits", " wait") + fmt.Sprintf(" (in %d dumps)", dumps)
	}
	return verb(n, " waits", " wait")
}

// othersWait is "1 other thread waits", "12 other threads wait".
func othersWait(threads []*analysis.ThreadReport) string {
	n := sizeOf(threads)
	return counted(n, "other thread") + " " + verb(n, "waits", "wait")
}

// unexplained returns the threads that wait without a time limit and that no finding names.
func unexplained(p *page, threads []*analysis.ThreadReport) []*analysis.ThreadReport {
	named := namedIn(p.report.Findings)
	return slices.DeleteFunc(threads, func(t *analysis.ThreadReport) bool {
		return !t.WaitsFor.Unlimited || named[threadKey{t.Name, t.ID, t.NativeID}]
	})
}

// showWaitingTable lists every waiting thread, grouped by what they wait for.
func showWaitingTable(p *page) {
	w := waitingThreads(p)
	p.section("Waiting", plain(waitingSummary(p, w)))
	if len(w.all) == 0 {
		return
	}
	t := table{columns: []column{
		{title: "WAITED", right: true, optional: true},
		{title: "ID", right: true, optional: true},
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
				owner = called(*wait.Owner)
			}
			t.add(plain(optDuration(wait.Seconds)), plain(idOf(thread)), strong(nameInTable(thread)),
				plain(stack.WaitWords(wait.Type)), quoted(orUnknown(object(wait))), plain(owner),
				quoted(shownFrame(thread)))
		}
	}
	p.table(t)
}

// showLockTable lists the locks with waiters, those with the most waiters first.
func showLockTable(p *page) {
	var waiting []*analysis.ThreadReport
	for i := range p.report.Threads {
		if t := &p.report.Threads[i]; t.WaitsFor != nil && isLock(t.WaitsFor) {
			waiting = append(waiting, t)
		}
	}
	locks := partition(waiting, func(t *analysis.ThreadReport) string { return object(t.WaitsFor) })
	order.SortStable(locks, func(a, b []*analysis.ThreadReport) int {
		return cmp.Or(cmp.Compare(sizeOf(b), sizeOf(a)), cmp.Compare(object(a[0].WaitsFor), object(b[0].WaitsFor)))
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
			name, state, frame = called(refOf(owner)), orUnknown(owner.State), shownFrame(owner)
		}
		t.add(plain(count(sizeOf(g))), quoted(orUnknown(object(g[0].WaitsFor))), strong(name), stateOfThread(state),
			quoted(frame))
	}
	p.table(t)
}
