package flame

import (
	"cmp"
	"math"
	"slices"

	"github.com/google/pprof/profile"

	"github.com/jstall/jstall/internal/order"
)

// MethodOptions shape a table of methods.
type MethodOptions struct {
	// Index is the sample type that orders the rows.
	Index int
	// Idle counts the samples of waiting threads too.
	Idle bool
	// BaseScale is what the base of a difference is multiplied with; 0 is 1. See [BaseScale].
	BaseScale float64
}

// Method is one row: a method is counted once per sample, however often it is on
// the stack.
type Method struct {
	Function *profile.Function
	// Samples are those with the method on the stack, OnTop those with it on top.
	Samples, OnTop int64
	// Total and Self are the weight by which the rows are ordered, with what the
	// method called and without. Base is the base's total in a difference, scaled.
	Total, Self, Base int64
}

// MethodTable is what was seen of each method.
type MethodTable struct {
	// Type is the sample type of the rows' weight.
	Type *profile.ValueType
	// Samples are the samples of threads that are counted, Idle those that are left out
	// because the thread waited. Both are 0 if the profile does not count.
	Samples, Idle int64
	// Total is the sum of the weight, Base the base's in a difference, not scaled.
	Total, Base int64
	// Methods are in the order of their self weight, then of their total; in a
	// difference in that of their change.
	Methods []Method
}

// Methods counts the methods of a profile.
func Methods(p *profile.Profile, o MethodOptions) MethodTable {
	c := methodCounter{
		options: o, rows: map[string]*methodRow{},
		cpu: typeIndex(p, CPU), wall: typeIndex(p, Wall), samples: typeIndex(p, Samples),
	}
	c.table.Type = p.SampleType[o.Index]
	for _, s := range p.Sample {
		c.add(s)
	}
	for _, m := range c.rows {
		if o.BaseScale > 0 {
			m.Base = int64(math.Round(o.BaseScale * float64(m.Base)))
		}
		if m.Total != 0 || m.Samples != 0 || m.Base != 0 {
			c.table.Methods = append(c.table.Methods, m.Method)
		}
	}
	order.Sort(c.table.Methods, func(a, b Method) int {
		if c.table.Base != 0 {
			if d := cmp.Compare(change(b), change(a)); d != 0 {
				return d
			}
		}
		if o.Index == c.samples && c.table.Base == 0 { // a row shows no samples of waiting threads
			if d := cmp.Or(cmp.Compare(b.OnTop, a.OnTop), cmp.Compare(b.Samples, a.Samples)); d != 0 {
				return d
			}
		}
		return cmp.Or(cmp.Compare(b.Self, a.Self), cmp.Compare(b.Total, a.Total), cmp.Compare(b.Samples, a.Samples),
			cmp.Compare(b.Base, a.Base), cmp.Compare(a.Function.Name, b.Function.Name))
	})
	return c.table
}

// change is by how much a method differs from the base.
func change(m Method) int64 { return max(m.Total-m.Base, m.Base-m.Total) }

// typeIndex is where a profile has a sample type, -1 if it has not.
func typeIndex(p *profile.Profile, name string) int {
	return slices.IndexFunc(p.SampleType, func(t *profile.ValueType) bool { return t.Type == name })
}

// methodRow is a row that knows the last sample it was counted for.
type methodRow struct {
	Method
	lastIn int
}

type methodCounter struct {
	options            MethodOptions
	table              MethodTable
	rows               map[string]*methodRow
	number             int // of the sample in hand, from 1
	cpu, wall, samples int
}

func (c *methodCounter) add(s *profile.Sample) {
	weight, samples := s.Value[c.options.Index], c.countOf(s)
	if isBase(s) {
		c.table.Base -= weight
	} else {
		c.table.Total += weight
	}
	c.number++
	names := functions(s)
	for i, f := range names {
		m := c.row(f)
		top := i == len(names)-1
		again := m.lastIn == c.number
		m.lastIn = c.number
		if isBase(s) {
			if !again {
				m.Base -= weight
			}
			continue
		}
		m.count(weight, samples, top, again)
	}
}

// count enters a sample that has the method on its stack, at its top, and once
// more below.
func (m *methodRow) count(weight, samples int64, top, again bool) {
	if top {
		m.OnTop += samples
		m.Self += weight
	}
	if !again {
		m.Samples += samples
		m.Total += weight
	}
}

func (c *methodCounter) row(f *profile.Function) *methodRow {
	m := c.rows[f.Name]
	if m == nil {
		m = &methodRow{Method: Method{Function: f}}
		c.rows[f.Name] = m
	}
	return m
}

// countOf is how many samples of the profile a pprof sample stands for.
func (c *methodCounter) countOf(s *profile.Sample) int64 {
	if c.samples < 0 || isBase(s) {
		return 0
	}
	n := s.Value[c.samples]
	if !c.options.Idle && c.idle(s) {
		c.table.Idle += n
		return 0
	}
	c.table.Samples += n
	return n
}

// leastBusy is the share of a core from which on a thread that the JVM calls
// RUNNABLE is taken for working: it calls so a thread that waits for bytes, too.
const leastBusy = 0.02

// idle reports the samples of threads that wait: the state says so, or the CPU time.
func (c *methodCounter) idle(s *profile.Sample) bool {
	switch LabelValue(s, LabelState) {
	case "BLOCKED", "WAITING", "TIMED_WAITING", "NEW", "TERMINATED":
		return true
	}
	if c.cpu < 0 || c.wall < 0 || s.Value[c.wall] == 0 {
		return false
	}
	return float64(s.Value[c.cpu]) < leastBusy*float64(s.Value[c.wall])
}
