package render

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/jstall/jstall/analysis"
	"github.com/jstall/jstall/analysis/finding"
)

// waiting are the threads of a report that wait, sorted out for the views of them.
type waiting struct {
	// all are those shown; brief are those that did something else in an earlier
	// dump.
	all, brief []*analysis.ThreadReport
	// idle counts the threads that have nothing to do.
	idle int
}

// waitingThreads are those that wait over the whole capture, without the idle ones.
// One that looks idle is not where a finding names it. A carrier is left out
// where the virtual thread that it runs is there itself.
func (p *page) waitingThreads() waiting {
	var w waiting
	named, virtual := p.named(), p.virtualThreads()
	for i := range p.report.Threads {
		t := &p.report.Threads[i]
		switch {
		case !p.chosen(t) || !t.Virtual() && virtual[t.Carrier]:
		case t.Idle != "" && (t.WaitsFor == nil || !named[threadKey{t.Name, t.ID, t.NativeID}]):
			if t.Role == "application" {
				w.idle += t.Size()
			}
		case t.WaitsFor == nil:
		case t.WaitsFor.Dumps < p.report.Capture.Dumps && !p.options.Full:
			w.brief = append(w.brief, t)
		default:
			w.all = append(w.all, t)
		}
	}
	return w
}

// named are the threads that findings other than hints are about.
func (p *page) named() map[threadKey]bool {
	return namedIn(slices.DeleteFunc(slices.Clone(p.report.Findings), func(f finding.Finding) bool {
		return f.Severity == finding.Info
	}))
}

// namedIn are the threads that findings name.
func namedIn(findings []finding.Finding) map[threadKey]bool {
	named := map[threadKey]bool{}
	for _, f := range findings {
		for _, r := range slices.Concat(f.Culprits, f.Victims) {
			named[threadKey{r.Name, r.ID, r.NativeID}] = true
		}
	}
	return named
}

// virtualThreads are the ids of those that have rows of their own.
func (p *page) virtualThreads() map[int64]bool {
	ids := map[int64]bool{}
	for i := range p.report.Threads {
		if t := &p.report.Threads[i]; t.Virtual() && t.ID != 0 {
			ids[t.ID] = true
		}
	}
	return ids
}

// isLock recognises a wait that ends when a thread gives something up.
func isLock(w *analysis.Wait) bool {
	return w.Type == "monitor" || w.Type == "ownable synchronizer" || w.Type == "class initialization"
}

// object is "com.acme.Cache <0x0000…>", without what is not known.
func object(w *analysis.Wait) string {
	if w.Address == "" {
		return w.Class
	}
	return strings.TrimSpace(w.Class + " <" + w.Address + ">")
}

// longest is the longest that any of the threads is known to wait, in words; where they
// were woken meanwhile, how often they were seen so. It is empty for one dump.
func longest(threads []*analysis.ThreadReport) string {
	var most *float64
	differ := false
	for i, t := range threads {
		s := t.WaitsFor.Seconds
		differ = differ || i > 0 && !sameValue(s, threads[0].WaitsFor.Seconds)
		if s != nil && (most == nil || *s > *most) {
			most = s
		}
	}
	switch {
	case most == nil && threads[0].WaitsFor.Dumps > 1:
		return fmt.Sprintf(" in %d dumps", threads[0].WaitsFor.Dumps)
	case most == nil:
		return ""
	case differ:
		return " for up to " + duration(*most)
	}
	return " for " + duration(*most)
}

// sameValue reports that both are unknown, or known and equal.
func sameValue[T comparable](a, b *T) bool {
	return a == b || a != nil && b != nil && *a == *b
}

// partition puts equal things together, the largest group first, groups of one
// size in the order of their first members.
func partition[K comparable](threads []*analysis.ThreadReport,
	key func(*analysis.ThreadReport) K) [][]*analysis.ThreadReport {
	var out [][]*analysis.ThreadReport
	place := map[K]int{}
	for _, t := range threads {
		k := key(t)
		i, seen := place[k]
		if !seen {
			i = len(out)
			place[k] = i
			out = append(out, nil)
		}
		out[i] = append(out[i], t)
	}
	slices.SortStableFunc(out, func(a, b []*analysis.ThreadReport) int { return cmp.Compare(sizeOf(b), sizeOf(a)) })
	return out
}

// stand is where a thread stands and in which state.
func stand(t *analysis.ThreadReport) string {
	return t.State + "\n" + strings.Join(t.Stack[:upToApplication(t)], "\n")
}

func sortByName(threads []*analysis.ThreadReport) {
	slices.SortStableFunc(threads, func(a, b *analysis.ThreadReport) int {
		return cmp.Or(cmp.Compare(a.Name, b.Name), cmp.Compare(a.ID, b.ID), cmp.Compare(a.NativeID, b.NativeID))
	})
}

func refOf(t *analysis.ThreadReport) finding.ThreadRef {
	return finding.ThreadRef{Name: t.Name, ID: t.ID, NativeID: t.NativeID}
}

// place is the frame that stands for a thread, empty if it has none.
func place(t *analysis.ThreadReport) string {
	if f := shownFrame(t); f != unknown {
		return f
	}
	return ""
}

// whereabouts is " BLOCKED for 2.00 s at Cache.get(Cache.java:40)"; how long may be
// empty.
func whereabouts(t *analysis.ThreadReport, howLong string) []span {
	var out []span
	if t.State != "" {
		out = append(out, plain(" "), stateOfThread(t.State))
	}
	out = append(out, plain(howLong))
	if f := place(t); f != "" {
		out = append(out, plain(" at "), quoted(f))
	}
	return out
}

// owner finds the thread that holds what a thread waits for, nil if unknown.
func (p *page) owner(t *analysis.ThreadReport) *analysis.ThreadReport {
	if t.WaitsFor == nil || t.WaitsFor.Owner == nil {
		return nil
	}
	return p.index.find(*t.WaitsFor.Owner)
}

// nothingKnown words, in place of a view, that there is no dump to show it from.
func (p *page) nothingKnown() bool {
	if p.report.Capture.Dumps > 0 {
		return false
	}
	p.header()
	p.line("", plain("Who waits for what is unknown: no dump could be taken."))
	p.notes()
	p.footer()
	return true
}

func verb(n int, one, many string) string {
	if n == 1 {
		return one
	}
	return many
}

// threadsWait is "1 thread waits", "12 threads wait".
func threadsWait(n int) string {
	return fmt.Sprintf("%s %s", counted(n, "thread"), verb(n, "waits", "wait"))
}
