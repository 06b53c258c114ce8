package analysis

import (
	"cmp"
	"slices"

	"github.com/jstall/jstall/analysis/facts"
	"github.com/jstall/jstall/analysis/facts/locks"
	"github.com/jstall/jstall/analysis/facts/pools"
	"github.com/jstall/jstall/analysis/finding"
	"github.com/jstall/jstall/analysis/stack"
	"github.com/jstall/jstall/analysis/timeline"
	"github.com/jstall/jstall/internal/order"
)

const (
	// mostShared is the largest number of rows that each represent several virtual threads.
	mostShared = 50
	// leastAtObject is how many virtual threads must wait for one object for the row to name it. If fewer do, they
	// share a row with threads at the same place that wait for other objects.
	leastAtObject = 10
)

// reportedThreads returns the rows of a report, and the number of virtual threads without a row.
func reportedThreads(f *facts.Facts, found []finding.Finding, opts Options) (rows []ThreadReport, left int) {
	named := involved(found)
	if opts.InvolvedOnly {
		rows = threadReports(f.Locks, named)
	} else {
		rows, left = population(f.Locks, named, opts.Thread)
	}
	v := timeline.WithVirtualThreads(f.Timeline)
	if v == nil || v == f.Timeline {
		return rows, left
	}
	written, left := population(f.Written.Locks, named, opts.Thread)
	return append(rows, slices.DeleteFunc(written, func(t ThreadReport) bool { return t.Kind != kindVirtual })...), left
}

// population returns the rows of all threads of the last dump, and the number of virtual threads without a row. If
// there are many virtual threads, only those that findings name, that are on a carrier or that the reader asked for
// have their own rows; the others share rows.
func population(f *locks.Locks, named func(*timeline.Thread) bool, asked Chooser) ([]ThreadReport, int) {
	single := singleRows(f.Timeline, named, asked)
	shared, left := sharedRows(f, single, asked)
	return append(threadReports(f, single), shared...), left
}

// singleRows reports which threads have their own rows.
func singleRows(f *timeline.Timeline, named func(*timeline.Thread) bool, asked Chooser) func(*timeline.Thread) bool {
	virtual, mounted, chosen := 0, map[int64]bool{}, 0
	for i := range f.Last().Samples {
		s := &f.Last().Samples[i]
		if !s.Thread.Virtual {
			continue
		}
		virtual += s.Size()
		if s.Carrier != 0 {
			mounted[s.Thread.ID] = true
		}
		chosen += finding.CountIf(asked != nil && asked(label(s.Thread), 0))
	}
	switch {
	case virtual <= timeline.FewVirtual:
		return everyThread
	case len(mounted) > timeline.FewVirtual:
		mounted = nil
	}
	if chosen > timeline.FewVirtual {
		asked = nil
	}
	return func(t *timeline.Thread) bool {
		return !t.Virtual || mounted[t.ID] || named(t) || asked != nil && asked(label(t), 0)
	}
}

// label is the name by which a reader chooses a thread; "virtual #31" for a virtual thread without a name.
func label(t *timeline.Thread) string {
	if t.Virtual && t.Name == "" {
		return t.Called()
	}
	return t.Name
}

// sharedPlace is what the virtual threads of one row have in common.
type sharedPlace struct {
	stack   *stack.Stack
	state   string
	wait    stack.WaitKind
	class   string
	object  uint64
	owner   *timeline.Sample
	dumps   int  // consecutive dumps that show the same wait
	again   bool // a thread may be in another wait than before
	unnamed bool
	unread  bool
	asked   bool
}

// sharedRow is the virtual threads of one row.
type sharedRow struct {
	oldest  *timeline.History // the one with the lowest id
	threads int
	// pattern is their common name with the last number replaced, loose that with all numbers and ids replaced.
	pattern, loose string
	// mixed is true if the names have no common pattern, or are not all known. apart is true if the threads wait for
	// several objects.
	mixed, apart bool
}

// sharedRows returns the rows for virtual threads without their own row, the largest first, and the number of threads
// whose rows are left out.
func sharedRows(f *locks.Locks, single func(*timeline.Thread) bool, asked Chooser) ([]ThreadReport, int) {
	rows, places := map[sharedPlace]*sharedRow{}, []sharedPlace{}
	many, owners := crowded(f.Timeline), f.Owners()
	for _, h := range f.Timeline.Alive() {
		if single(h.Thread) {
			continue
		}
		at := sharedPlaceOf(h, owners[h.Last()], many)
		at.asked = asked != nil && asked(label(h.Thread), 0)
		if rows[at] == nil {
			rows[at] = &sharedRow{
				pattern: pools.NamePattern(h.Thread.Name), loose: stack.WithoutNumbers(h.Thread.Name),
			}
			places = append(places, at)
		}
		rows[at].add(h)
	}
	order.SortStable(places, func(a, b sharedPlace) int {
		return cmp.Or(cmp.Compare(rows[b].threads, rows[a].threads),
			cmp.Compare(rows[a].oldest.Thread.ID, rows[b].oldest.Thread.ID))
	})
	shown := places[:min(len(places), mostShared)]
	left := 0
	for _, at := range places[len(shown):] {
		left += rows[at].threads
	}
	return reportShared(f, shown, rows), left
}

// waitedAt is an object that virtual threads wait for at one stack.
type waitedAt struct {
	stack  *stack.Stack
	object uint64
}

// crowded returns the objects that many virtual threads wait for.
func crowded(f *timeline.Timeline) map[waitedAt]bool {
	count := map[waitedAt]int{}
	for i := range f.Last().Samples {
		s := &f.Last().Samples[i]
		if l := s.WaitsOn(); s.Thread.Virtual && s.Size() == 1 && l != nil && l.Address != 0 {
			count[waitedAt{s.Stack, l.Address}]++
		}
	}
	many := map[waitedAt]bool{}
	for at, n := range count {
		if n >= leastAtObject {
			many[at] = true
		}
	}
	return many
}

func sharedPlaceOf(h *timeline.History, owner *timeline.Sample, many map[waitedAt]bool) sharedPlace {
	s, since := h.Last(), waitsSince(h)
	at := sharedPlace{
		stack: s.Stack, state: s.Shown().String(), wait: s.Wait, class: s.WaitClass(), owner: owner,
		dumps: len(h.Samples) - since, again: wokenSince(h, since) || mayBeRenewedSince(h, since),
		unnamed: s.Thread.Name == "", unread: s.Unread,
	}
	if l := s.WaitsOn(); l != nil && (owner != nil || many[waitedAt{s.Stack, l.Address}]) {
		at.object = l.Address
	}
	return at
}

// add counts a thread, and the unnamed threads that its dump counts with it.
func (r *sharedRow) add(h *timeline.History) {
	r.threads += h.Last().Size()
	if pools.NamePattern(h.Thread.Name) != r.pattern {
		r.pattern = r.loose
		r.mixed = r.mixed || stack.WithoutNumbers(h.Thread.Name) != r.loose
	}
	r.mixed = r.mixed || h.Last().Size() > 1
	if r.oldest == nil {
		r.oldest = h
		return
	}
	r.apart = r.apart || !sameObject(r.oldest.Last(), h.Last())
	if h.Thread.ID < r.oldest.Thread.ID {
		r.oldest = h
	}
}

func sameObject(a, b *timeline.Sample) bool {
	x, y := a.WaitsOn(), b.WaitsOn()
	return x == nil || y == nil || x.Address == y.Address
}

// reportShared makes the rows.
func reportShared(f *locks.Locks, order []sharedPlace, shared map[sharedPlace]*sharedRow) []ThreadReport {
	texts := map[*stack.Stack][]string{}
	oldest := make([]*timeline.History, 0, len(order))
	rows := make([]ThreadReport, 0, len(order))
	for _, at := range order {
		oldest = append(oldest, shared[at].oldest)
		rows = append(rows, threadReport(f.Timeline, shared[at].oldest, texts))
	}
	addWaits(f, oldest, rows)
	for i, at := range order {
		r := shared[at]
		rows[i].Alike = r.threads - 1
		if !r.mixed && r.threads > 1 {
			rows[i].NamePattern = r.pattern
		}
		unknown := r.oldest.Last().Size() > 1 && at.owner == nil // the dump counts threads that wait for other objects
		if w := rows[i].WaitsFor; w != nil && (r.apart || unknown) {
			w.Address, w.State = "", ""
		}
	}
	return rows
}
