package render

import (
	"cmp"
	"slices"

	"github.com/jstall/jstall/analysis"
)

// link is a group of threads that wait for the threads of the link above it, all at one place and for the same lock. A
// root waits for no known thread. It has one thread, or none if it represents the unknown owner of a lock.
type link struct {
	threads []*analysis.ThreadReport
	// lock is what the threads wait for, or what the unknown owner holds.
	lock *analysis.Wait
	// behind are the links that wait for this one, those with the most threads first.
	behind []*link
	// closes reports that the link is the root again: the chain is a cycle.
	closes bool
	// cycle counts the threads of the cycle that the root is in.
	cycle int
	// size counts the threads of the link and of all behind it.
	size int
}

// dependencies returns who waits for whom, as trees, the largest first. They have only waits for what a thread holds.
// Threads that wait for an unknown owner are behind the lock.
func dependencies(p *page) []*link {
	b := &linker{page: p, behind: map[*analysis.ThreadReport][]*analysis.ThreadReport{}}
	var unowned []*analysis.ThreadReport
	for i := range p.report.Threads {
		t := &p.report.Threads[i]
		switch owner := p.owner(t); {
		case owner != nil && owner != t:
			if len(b.behind[owner]) == 0 {
				b.owners = append(b.owners, owner)
			}
			b.behind[owner] = append(b.behind[owner], t)
		case owner != nil: // it waits for itself
			if len(b.behind[t]) == 0 {
				b.owners = append(b.owners, t)
			}
		case t.WaitsFor != nil && isLock(t.WaitsFor):
			unowned = append(unowned, t)
		}
	}
	roots := b.roots()
	for _, same := range partition(unowned, func(t *analysis.ThreadReport) string { return object(t.WaitsFor) }) {
		root := &link{lock: same[0].WaitsFor, behind: b.fold(nil, same)}
		roots = append(roots, root.measured())
	}
	roots = slices.DeleteFunc(roots, func(l *link) bool { return !l.has(p.chosen) })
	slices.SortStableFunc(roots, compareLinks)
	return roots
}

// linker builds the trees.
type linker struct {
	*page
	// behind are the threads that wait for a thread directly; owners are its keys in the order of the report.
	behind map[*analysis.ThreadReport][]*analysis.ThreadReport
	owners []*analysis.ThreadReport
}

// roots returns the owners that wait for no thread, and the first thread by name of each cycle.
func (b *linker) roots() []*link {
	var roots []*link
	sortByName(b.owners)
	done := map[*analysis.ThreadReport]bool{}
	for _, t := range b.owners {
		end, cycle := b.end(t, done)
		if end == nil {
			continue
		}
		root := &link{threads: []*analysis.ThreadReport{end}, lock: end.WaitsFor, cycle: cycle}
		root.behind = b.fold(end, b.behind[end])
		roots = append(roots, root.measured())
	}
	return roots
}

// end follows the owners from a thread on. It returns the one that waits for no thread, or the first of a cycle by
// name; nil if that was found before.
func (b *linker) end(t *analysis.ThreadReport, done map[*analysis.ThreadReport]bool) (*analysis.ThreadReport, int) {
	step := map[*analysis.ThreadReport]int{}
	for {
		if at, again := step[t]; again {
			return b.firstOfCycle(t), len(step) - at
		}
		if done[t] {
			return nil, 0
		}
		done[t], step[t] = true, len(step)
		next := b.owner(t)
		if next == nil || next == t {
			return t, 0
		}
		t = next
	}
}

func (b *linker) firstOfCycle(t *analysis.ThreadReport) *analysis.ThreadReport {
	members := []*analysis.ThreadReport{t}
	for next := b.owner(t); next != t; next = b.owner(next) {
		members = append(members, next)
	}
	sortByName(members)
	return members[0]
}

// fold makes links of the threads that wait for root, with all threads behind them. Threads without waiters are one
// link if they are at the same place.
func (b *linker) fold(root *analysis.ThreadReport, waiting []*analysis.ThreadReport) []*link {
	var links []*link
	var last []*analysis.ThreadReport
	for _, t := range waiting {
		switch {
		case t == root:
			links = append(links, &link{threads: []*analysis.ThreadReport{t}, lock: t.WaitsFor, closes: true})
		case len(b.behind[t]) > 0:
			l := &link{threads: []*analysis.ThreadReport{t}, lock: t.WaitsFor}
			l.behind = b.fold(root, b.behind[t])
			links = append(links, l.measured())
		default:
			last = append(last, t)
		}
	}
	sortByName(last)
	for _, same := range partition(last, func(t *analysis.ThreadReport) string {
		return object(t.WaitsFor) + "\n" + stateAndFrames(t)
	}) {
		links = append(links, (&link{threads: same, lock: same[0].WaitsFor}).measured())
	}
	slices.SortStableFunc(links, compareLinks)
	return links
}

func (l *link) measured() *link {
	l.size = sizeOf(l.threads)
	for _, b := range l.behind {
		l.size += b.size
	}
	return l
}

func compareLinks(a, b *link) int {
	return cmp.Or(cmp.Compare(b.size, a.size), cmp.Compare(a.name(), b.name()))
}

func (l *link) name() string {
	if len(l.threads) == 0 {
		return object(l.lock)
	}
	return l.threads[0].Name
}

// has reports whether the tree has a wanted thread.
func (l *link) has(wanted func(*analysis.ThreadReport) bool) bool {
	return slices.ContainsFunc(l.threads, wanted) ||
		slices.ContainsFunc(l.behind, func(b *link) bool { return b.has(wanted) })
}

// waiting counts the threads behind the root. In a cycle the root counts too, as it waits.
func (l *link) waiting() int {
	if l.cycle > 0 || len(l.threads) == 0 {
		return l.size
	}
	return l.size - sizeOf(l.threads)
}
