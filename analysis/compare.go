package analysis

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/jstall/jstall/analysis/facts/pools"
	"github.com/jstall/jstall/analysis/finding"
	"github.com/jstall/jstall/analysis/stack"
	"github.com/jstall/jstall/internal/order"
	"github.com/jstall/jstall/threaddump"
)

// Comparison lists the differences between a bad capture and a good one of the same program, the largest change first.
// What did not change is left out.
type Comparison struct {
	Schema int  `json:"schema"`
	Good   Side `json:"good"`
	Bad    Side `json:"bad"`
	// Appeared and Gone are the findings that only one of the two has.
	Appeared []FindingRef `json:"appeared"`
	Gone     []FindingRef `json:"gone"`
	// Stacks are groups of threads that are in the same methods.
	Stacks []StackChange `json:"stacks"`
	// Pools count threads by the pattern of their names, numbers replaced by #.
	Pools []PoolChange `json:"pools"`
	// Locks count the threads that wait for locks, by class and place.
	Locks []LockChange `json:"locks"`
	// CPU is by the pattern of names, in percent of one core.
	CPU []CPUChange `json:"cpu"`
}

// Side is one of the two captures.
type Side struct {
	Target  Target  `json:"target"`
	Verdict Verdict `json:"verdict"`
	Dumps   int     `json:"dumps"`
	// Threads counts all threads, VirtualThreads the virtual ones among them.
	Threads        int `json:"threads"`
	VirtualThreads int `json:"virtualThreads,omitempty"`
	// CPUPercent is of one core; nil if unknown, as are the bytes of heap.
	CPUPercent    *float64 `json:"cpuPercent,omitempty"`
	HeapUsedBytes *int64   `json:"heapUsedBytes,omitempty"`
	HeapMaxBytes  *int64   `json:"heapMaxBytes,omitempty"`
}

// FindingRef names a finding of one of the two captures.
type FindingRef struct {
	Kind     finding.Kind     `json:"kind"`
	Severity finding.Severity `json:"severity"`
	Title    string           `json:"title"`
}

// StackChange is how many threads were in a group in each capture.
type StackChange struct {
	Good   int    `json:"good"`
	Bad    int    `json:"bad"`
	State  string `json:"state"`
	Sample string `json:"sample"` // a thread's name; "virtual #31" for a virtual thread without a name
	// Virtual reports whether the threads are virtual.
	Virtual bool `json:"virtual,omitempty"`
	// Frame is the innermost frame of the application. Stack has the methods, innermost first.
	Frame string   `json:"frame,omitempty"`
	Stack []string `json:"stack"`
}

// PoolChange is how many threads have names of a pattern. The pattern is empty for threads without a name.
type PoolChange struct {
	Pattern string `json:"pattern"`
	Good    int    `json:"good"`
	Bad     int    `json:"bad"`
	// Virtual reports whether the threads are virtual.
	Virtual bool `json:"virtual,omitempty"`
}

// LockChange is how many threads waited for objects of a class at a place.
type LockChange struct {
	Class string `json:"class"`
	Frame string `json:"frame,omitempty"`
	Good  int    `json:"good"`
	Bad   int    `json:"bad"`
}

// CPUChange is how much CPU the threads of a pattern used.
type CPUChange struct {
	Pattern string  `json:"pattern"`
	Good    float64 `json:"goodPercent"`
	Bad     float64 `json:"badPercent"`
}

const (
	// fewThreads is the difference in a number of threads that may be chance, and littleCPU the same in percent of a
	// core.
	fewThreads = 1
	littleCPU  = 5.0
	// grown is the factor by which a number of virtual threads must have changed: they come and go with the requests.
	grown = 1.5
)

// Compare compares two reports of the same program. Frames are compared by method, because a new release moves lines
// and each run numbers its lambdas anew.
func Compare(good, bad *Report) *Comparison {
	stable := stableMethods{}
	a, b := countsOf(good, stable), countsOf(bad, stable)
	c := &Comparison{
		Schema: SchemaVersion, Good: sideOf(good), Bad: sideOf(bad),
		Appeared: notNil(onlyIn(bad.Findings, good.Findings)), Gone: notNil(onlyIn(good.Findings, bad.Findings)),
		Stacks: []StackChange{}, Pools: []PoolChange{}, Locks: []LockChange{}, CPU: []CPUChange{},
	}
	for _, k := range keysOf(a.stacks, b.stacks) {
		was, is := a.stacks[k], b.stacks[k]
		if one := cmp.Or(is, was); one != nil && changed(was.threads(), is.threads(), one.virtual) {
			c.Stacks = append(c.Stacks, StackChange{Good: was.threads(), Bad: is.threads(), State: one.state,
				Sample: one.sample, Virtual: one.virtual, Frame: one.frame, Stack: one.stack})
		}
	}
	for _, k := range keysOf(a.pools, b.pools) {
		was, is := a.pools[k], b.pools[k]
		if one := cmp.Or(is, was); one != nil && changed(was.threads(), is.threads(), one.virtual) {
			c.Pools = append(c.Pools, PoolChange{one.pattern, was.threads(), is.threads(), one.virtual})
		}
	}
	for _, k := range keysOf(a.locks, b.locks) {
		if changed(a.locks[k], b.locks[k], !a.platform[k] && !b.platform[k]) {
			class, frame, _ := strings.Cut(k, "\n")
			c.Locks = append(c.Locks, LockChange{class, frame, a.locks[k], b.locks[k]})
		}
	}
	for _, k := range keysOf(a.cpu, b.cpu) {
		if d := b.cpu[k] - a.cpu[k]; d > littleCPU || d < -littleCPU {
			c.CPU = append(c.CPU, CPUChange{k, a.cpu[k], b.cpu[k]})
		}
	}
	c.order()
	return c
}

// changed reports whether the difference is more than chance: it is more than one thread, or the first or last thread
// of its kind appeared or ended. For virtual threads the numbers must also be far apart, and first and last ones do not
// count.
func changed(good, bad int, virtual bool) bool {
	few := -fewThreads <= bad-good && bad-good <= fewThreads
	switch {
	case virtual:
		return !few && float64(max(good, bad)) >= grown*float64(min(good, bad))
	case few:
		return (good == 0) != (bad == 0)
	}
	return true
}

func (c *Comparison) order() {
	order.SortStable(c.Stacks, func(a, b StackChange) int {
		return cmp.Compare(moved(b.Good, b.Bad), moved(a.Good, a.Bad))
	})
	order.SortStable(c.Pools, func(a, b PoolChange) int {
		return cmp.Compare(moved(b.Good, b.Bad), moved(a.Good, a.Bad))
	})
	order.SortStable(c.Locks, func(a, b LockChange) int {
		return cmp.Compare(moved(b.Good, b.Bad), moved(a.Good, a.Bad))
	})
	order.SortStable(c.CPU, func(a, b CPUChange) int {
		return cmp.Compare(moved(b.Good, b.Bad), moved(a.Good, a.Bad))
	})
}

// moved is the size of a change, for sorting. An increase comes before a decrease of the same size.
func moved[N int | float64](good, bad N) N {
	if bad > good {
		return 2*(bad-good) + 1
	}
	return 2 * (good - bad)
}

func sideOf(r *Report) Side {
	s := Side{
		Target: r.Target, Verdict: r.Verdict, Dumps: r.Capture.Dumps,
		HeapUsedBytes: r.Capture.HeapUsedBytes, HeapMaxBytes: r.Capture.HeapMaxBytes,
	}
	for i := range r.Threads {
		t := &r.Threads[i]
		s.Threads += t.Size()
		if t.Virtual() {
			s.VirtualThreads += t.Size()
		}
	}
	if v := r.VirtualThreads; v != nil {
		s.Threads += v.Unlisted
		s.VirtualThreads += v.Unlisted
	}
	if cpu, wall := r.Capture.CPUSeconds, r.Capture.ElapsedSeconds; cpu != nil && wall != nil && *wall > 0 {
		percent := 100 * *cpu / *wall
		s.CPUPercent = &percent
	}
	return s
}

// onlyIn returns the findings of a that have no counterpart in b.
func onlyIn(a, b []finding.Finding) []FindingRef {
	var out []FindingRef
	for _, f := range a {
		if f.ExplainedBy == "" && !slices.ContainsFunc(b, func(g finding.Finding) bool { return alikeFindings(f, g) }) {
			out = append(out, FindingRef{f.Kind, f.Severity, f.Title})
		}
	}
	return out
}

// alikeFindings reports whether two findings of one kind blame the same code, the same thread or no thread.
func alikeFindings(f, g finding.Finding) bool {
	if f.Kind != g.Kind || f.Severity != g.Severity {
		return false
	}
	if len(f.Culprits) == 0 || len(g.Culprits) == 0 {
		return len(f.Culprits) == len(g.Culprits)
	}
	a, b := f.Culprits[0], g.Culprits[0]
	return a.Frame == b.Frame || pools.NamePattern(a.Name) == pools.NamePattern(b.Name)
}

// counts groups the threads of a report.
type counts struct {
	stacks map[string]*standing
	pools  map[string]*pool
	locks  map[string]int // by class and frame, a line each
	// platform holds the keys of the locks that platform threads wait for.
	platform map[string]bool
	cpu      map[string]float64
	stable   stableMethods
}

// stableMethods maps frames as in dumps to the form in which they are compared.
type stableMethods map[string]string

// of cuts off the line, and the part of the class's name that changes from run to run.
func (m stableMethods) of(frame string) string {
	method, known := m[frame]
	if !known {
		method, _, _ = strings.Cut(frame, "(")
		if dot := strings.LastIndexByte(method, '.'); dot >= 0 {
			method = threaddump.StableClass(method[:dot]) + method[dot:]
		}
		m[frame] = method
	}
	return method
}

// pool is the threads whose names have one pattern.
type pool struct {
	count   int
	pattern string
	virtual bool
}

func (p *pool) threads() int {
	if p == nil {
		return 0
	}
	return p.count
}

type standing struct {
	count                int
	virtual              bool
	state, sample, frame string
	stack                []string
}

func (s *standing) threads() int {
	if s == nil {
		return 0
	}
	return s.count
}

func countsOf(r *Report, stable stableMethods) counts {
	c := counts{
		map[string]*standing{}, map[string]*pool{}, map[string]int{}, map[string]bool{}, map[string]float64{}, stable,
	}
	for i := range r.Threads {
		t := &r.Threads[i]
		pattern := namePattern(t)
		if t.CPUPercent != nil {
			c.cpu[pattern] += *t.CPUPercent
		}
		if t.Role != "application" {
			continue
		}
		c.addToPool(t, pattern)
		c.stand(t)
		if w := t.WaitsFor; w != nil && w.Class != "" {
			k := threaddump.StableClass(w.Class) + "\n" + stable.of(t.Frame)
			c.locks[k] += t.Size()
			c.platform[k] = c.platform[k] || !t.Virtual()
		}
	}
	return c
}

// namePattern is the common part of the names of one kind of threads. Names of virtual threads contain numbers of
// requests, which differ between captures.
func namePattern(t *ThreadReport) string {
	if t.Virtual() {
		return stack.WithoutNumbers(cmp.Or(t.NamePattern, t.Name))
	}
	return pools.NamePattern(t.Name)
}

func (c counts) addToPool(t *ThreadReport, pattern string) {
	k := pattern
	if t.Virtual() {
		k = kindVirtual + "\n" + pattern
	}
	if c.pools[k] == nil {
		c.pools[k] = &pool{pattern: pattern, virtual: t.Virtual()}
	}
	c.pools[k].count += t.Size()
}

func (c counts) stand(t *ThreadReport) {
	methods := make([]string, len(t.Stack))
	for i, frame := range t.Stack {
		methods[i] = c.stable.of(frame)
	}
	if len(methods) == 0 {
		return
	}
	k := t.State + "\n" + strings.Join(methods, "\n")
	if c.stacks[k] == nil {
		c.stacks[k] = &standing{virtual: t.Virtual(), state: t.State, sample: t.Label(), frame: c.stable.of(t.Frame),
			stack: methods}
	}
	c.stacks[k].count += t.Size()
}

// keysOf returns the keys of both maps, sorted.
func keysOf[V any](a, b map[string]V) []string {
	all := maps.Clone(a)
	maps.Copy(all, b)
	return slices.Sorted(maps.Keys(all))
}
