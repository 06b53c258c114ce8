package render

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/jstall/jstall/analysis"
	"github.com/jstall/jstall/analysis/timeline"
	"github.com/jstall/jstall/internal/order"
)

const (
	workTop    = 10   // rows of most-work
	leastShown = 0.05 // smallest percentage of a core that is not shown as 0.0
)

// row is one thread, one group of the JVM's own threads, or virtual threads at one place, in a table of work.
type row struct {
	name            string
	id              string
	thread          *analysis.ThreadReport // nil for a group of the JVM's own; of virtual threads the oldest
	percent, cpu    *float64
	allocatedPerSec *float64
	threads         int
	state, frame    string
}

// rows returns the threads that the options choose, most CPU first, those of unknown CPU last. The JVM's own threads
// are summed, unless threads are chosen by name or all tables are shown in full. Many virtual threads at one place have
// one row, unless in full.
func (p *page) rows() []row {
	var rows []row
	var virtual []*analysis.ThreadReport
	groups := map[string]*row{}
	for i := range p.report.Threads {
		t := &p.report.Threads[i]
		if !p.chosen(t) {
			continue
		}
		name := p.grouping(t)
		if name == "" && t.Virtual() {
			virtual = append(virtual, t)
			continue
		}
		if name == "" {
			rows = append(rows, threadRow(t))
			continue
		}
		if groups[name] == nil {
			groups[name] = &row{name: name}
		}
		groups[name].add(t)
	}
	for _, name := range []string{"[GC]", "[JIT]", "[VM operations]", "[other JVM]"} {
		if g := groups[name]; g != nil {
			rows = append(rows, *g)
		}
	}
	rows = append(rows, virtualRows(p, virtual)...)
	order.SortStable(rows, byWork)
	return rows
}

// grouping names the group in whose row a thread is, empty if the thread has a separate row.
func (p *page) grouping(t *analysis.ThreadReport) string {
	if p.options.Full || p.options.Thread != nil {
		return ""
	}
	return map[string]string{"gc": "[GC]", "jit": "[JIT]", "vm": "[VM operations]", "jvm": "[other JVM]"}[t.Role]
}

func threadRow(t *analysis.ThreadReport) row {
	r := row{
		name: nameInTable(t), id: idOf(t), thread: t, threads: t.Size(),
		percent: t.CPUPercent, cpu: t.CPUSeconds,
		state: orUnknown(t.State), frame: shownFrame(t),
	}
	if t.AllocatedBytes != nil && t.ObservedSeconds != nil && *t.ObservedSeconds > 0 {
		perSec := float64(*t.AllocatedBytes) / *t.ObservedSeconds
		r.allocatedPerSec = &perSec
	}
	return r
}

// add adds a thread to a group. The figures of the group are sums of the known ones.
func (r *row) add(t *analysis.ThreadReport) {
	r.threads++
	r.percent = plus(r.percent, t.CPUPercent)
	r.cpu = plus(r.cpu, t.CPUSeconds)
	r.state, r.frame = "", ""
}

// plus adds x if it is known.
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

// idle reports whether the row is known to have used almost no CPU.
func (r row) idle() bool { return r.percent != nil && *r.percent < leastShown }

// offCPU reports whether the row is of virtual threads without a carrier. The CPU use of a mounted one counts for its
// carrier.
func (r row) offCPU() bool { return r.thread != nil && r.thread.Virtual() && r.thread.Carrier == 0 }

func known(rows []row) bool {
	return slices.ContainsFunc(rows, func(r row) bool { return r.percent != nil })
}

// rowTable adds a table of threads and counts those that are not in it.
func (p *page) rowTable(t table, rest int, what string) {
	if len(t.rows) > 0 {
		p.table(t)
	}
	if rest > 0 {
		p.under(faint("and " + count(rest) + " more" + what + " (--top, --full)"))
	}
}

func (r row) nid() string {
	if r.thread == nil {
		return ""
	}
	return nativeID(r.thread.NativeID)
}

// shortNID is the native id without its hexadecimal form.
func (r row) shortNID() string {
	nid, _, _ := strings.Cut(r.nid(), " ")
	return nid
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
	case r.thread.Carrier != 0 && !r.thread.Virtual():
		return fmt.Sprintf("%s carries #%d", r.name, r.thread.Carrier)
	}
	return r.name
}

// virtualRows returns the rows of virtual threads. A few have one row each. Otherwise those in one state at one stack
// that wait for the same thing share a row, the largest first.
func virtualRows(p *page, threads []*analysis.ThreadReport) []row {
	places := make([][]*analysis.ThreadReport, 0, len(threads))
	if sizeOf(threads) > timeline.FewVirtual && !p.options.Full {
		places = partition(threads, virtualPlace)
	} else {
		for i := range threads {
			places = append(places, threads[i:i+1])
		}
	}
	rows := make([]row, 0, len(places))
	for _, same := range places {
		slices.SortStableFunc(same, func(a, b *analysis.ThreadReport) int { return cmp.Compare(a.ID, b.ID) })
		r := threadRow(same[0])
		if len(same[0].Stack) == 0 && !same[0].StackUnknown {
			r.frame = "not started yet"
		}
		if r.threads = sizeOf(same); r.threads > 1 {
			r.name, r.id = names(same), lowestID(same[0].ID)
		}
		rows = append(rows, r)
	}
	return rows
}

// virtualPlace is the common place of the virtual threads of one row.
func virtualPlace(t *analysis.ThreadReport) string {
	if t.Carrier != 0 {
		return idOf(t)
	}
	wait := ""
	if w := t.WaitsFor; w != nil {
		wait = w.Type + " " + w.Class
		if w.Owner != nil {
			wait += " " + called(*w.Owner)
		}
	}
	return wait + "\n" + stateAndFrames(t)
}

// stacksOf shows the stacks of the requested threads.
func (p *page) stacksOf(rows []row) {
	for _, r := range rows[:min(len(rows), p.top(max(1, len(rows))))] {
		if r.thread == nil || len(r.thread.Stack) == 0 {
			continue
		}
		p.heading(3, strong(r.title()))
		p.code(wholeStack(p, r.thread, depthOr(p.options.StackDepth, 1<<20)))
	}
}

// stacksOfChosen shows the stacks of the threads that --thread chooses.
func (p *page) stacksOfChosen() {
	if p.options.Thread != nil {
		p.stacksOf(p.rows())
	}
}
