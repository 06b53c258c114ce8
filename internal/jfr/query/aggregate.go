package query

import (
	"errors"
	"math"
	"slices"
	"strings"
)

// moment is when an event ended, in nanoseconds since 1970, and its place in the input: events that ended together are
// in the order of the input.
type moment struct{ end, sequence int64 }

func (m moment) before(other moment) bool {
	return m.end < other.end || m.end == other.end && m.sequence < other.sequence
}

// aggregator makes one value of those of a column in a group.
type aggregator interface {
	// add takes a value that is not missing; more is what it takes in memory, in bytes.
	add(v Value, at moment) (more int)
	result() Value
}

func newAggregator(of Function) aggregator {
	switch of {
	case Count:
		return &counter{}
	case Sum, Avg, StdDev:
		return &sums{of: of}
	case Min, Max:
		return &extreme{least: of == Min}
	case Median, P90, P95, P99, P999:
		return &percentile{share: shareOf(of)}
	case Unique, Set:
		return &distinct{of: of, seen: map[Value]bool{}}
	case List:
		return &list{}
	case Diff:
		return &difference{}
	case Last, LastBatch:
		return &latest{}
	}
	return &earliest{}
}

func shareOf(f Function) float64 {
	switch f {
	case P90:
		return 0.90
	case P95:
		return 0.95
	case P99:
		return 0.99
	case P999:
		return 0.999
	}
	return 0.5
}

// counter counts values.
type counter struct{ n int64 }

func (c *counter) add(Value, moment) int { c.n++; return 0 }
func (c *counter) result() Value         { return whole(c.n) }

// sums adds up numbers. The mean and the squares are kept as Welford does, so that they stay exact.
type sums struct {
	of            Function
	n             int64
	whole         int64
	total         float64
	mean, squares float64
	isReal        bool
}

func (s *sums) add(v Value, _ moment) int {
	if !v.IsNumber() {
		return 0
	}
	f := v.Float()
	s.n++
	s.total += f
	s.isReal = s.isReal || v.Kind == Real
	if v.Kind == Whole {
		s.whole = saturated(s.whole, v.Num)
	}
	if s.of == StdDev {
		before := f - s.mean
		s.mean += before / float64(s.n)
		s.squares += before * (f - s.mean)
	}
	return 0
}

// saturated adds without an overflow.
func saturated(a, b int64) int64 {
	switch sum := a + b; {
	case a > 0 && b > 0 && sum < 0:
		return math.MaxInt64
	case a < 0 && b < 0 && sum >= 0:
		return math.MinInt64
	default:
		return sum
	}
}

func (s *sums) result() Value {
	switch {
	case s.n == 0:
		return Value{}
	case s.of == Avg:
		return real(s.total / float64(s.n))
	case s.of == StdDev:
		return real(math.Sqrt(s.squares / float64(s.n)))
	case s.isReal:
		return real(s.total)
	}
	return whole(s.whole)
}

// extreme keeps the least or the greatest value.
type extreme struct {
	least bool
	v     Value
}

func (e *extreme) add(v Value, _ moment) int {
	if e.v.Kind == Missing || (compare(v, e.v) < 0) == e.least && compare(v, e.v) != 0 {
		e.v = v
	}
	return 0
}

func (e *extreme) result() Value { return e.v }

// percentile keeps all numbers of a group.
type percentile struct {
	share  float64
	values []float64
	isReal bool
}

func (p *percentile) add(v Value, _ moment) int {
	if !v.IsNumber() {
		return 0
	}
	p.isReal = p.isReal || v.Kind == Real
	p.values = append(p.values, v.Float())
	return 8
}

// result is the value at the rank share * (n+1), between two values if that is no whole number.
func (p *percentile) result() Value {
	n := len(p.values)
	if n == 0 {
		return Value{}
	}
	slices.Sort(p.values)
	rank := p.share*float64(n+1) - 1
	low := int(math.Floor(rank))
	var f float64
	switch {
	case low < 0:
		f = p.values[0]
	case low >= n-1:
		f = p.values[n-1]
	default:
		f = p.values[low] + (rank-float64(low))*(p.values[low+1]-p.values[low])
	}
	if p.isReal {
		return real(f)
	}
	return whole(int64(math.Round(f)))
}

// distinct keeps each value once.
type distinct struct {
	of    Function
	seen  map[Value]bool
	order []Value
}

func (d *distinct) add(v Value, _ moment) int {
	if d.seen[v] {
		return 0
	}
	d.seen[v] = true
	if d.of == Set {
		d.order = append(d.order, v)
	}
	return 2*valueSize + len(v.Text)
}

func (d *distinct) result() Value {
	if d.of == Unique {
		return whole(int64(len(d.seen)))
	}
	return joined(d.order)
}

// list keeps all values, in the order of time.
type list struct {
	values []Value
	at     []moment
}

func (l *list) add(v Value, at moment) int {
	l.values, l.at = append(l.values, v), append(l.at, at)
	return 2*valueSize + len(v.Text)
}

func (l *list) result() Value {
	order := make([]int, len(l.values))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int {
		switch {
		case l.at[a].before(l.at[b]):
			return -1
		case l.at[b].before(l.at[a]):
			return 1
		}
		return 0
	})
	sorted := make([]Value, len(order))
	for i, at := range order {
		sorted[i] = l.values[at]
	}
	return joined(sorted)
}

// joined is the text of several values.
func joined(values []Value) Value {
	if len(values) == 0 {
		return Value{}
	}
	parts := make([]string, len(values))
	for i, v := range values {
		parts[i] = v.plain()
	}
	return text(strings.Join(parts, ", "))
}

// earliest keeps the first value in time, latest the last.
type earliest struct {
	v  Value
	at moment
}

func (e *earliest) add(v Value, at moment) int {
	if e.v.Kind == Missing || at.before(e.at) {
		e.v, e.at = v, at
	}
	return 0
}

func (e *earliest) result() Value { return e.v }

type latest struct {
	v  Value
	at moment
}

func (l *latest) add(v Value, at moment) int {
	if l.v.Kind == Missing || l.at.before(at) {
		l.v, l.at = v, at
	}
	return 0
}

func (l *latest) result() Value { return l.v }

// difference is the last number less the first one; a single one has no difference.
type difference struct {
	first earliest
	last  latest
}

func (d *difference) add(v Value, at moment) int {
	if v.IsNumber() {
		d.first.add(v, at)
		d.last.add(v, at)
	}
	return 0
}

func (d *difference) result() Value {
	first, last := d.first.v, d.last.v
	switch {
	case first.Kind == Missing || d.first.at == d.last.at:
		return Value{}
	case first.Kind == Whole && last.Kind == Whole:
		return whole(last.Num - first.Num)
	}
	return real(last.Float() - first.Float())
}

// Bounds of what a query may keep.
const (
	// maxGroups is the number of groups, of some hundred bytes each.
	maxGroups = 1 << 18
	// maxKept is the bytes that rows, percentiles, lists and sets keep.
	maxKept = 128 << 20
	// valueSize is what a Value takes in memory, in bytes.
	valueSize = 32
)

// ErrTooMuch is wrapped by the error of a query whose answer would take too much memory.
var ErrTooMuch = errors.New("the answer does not fit into memory")
