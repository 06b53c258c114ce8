package query

import (
	"fmt"
	"slices"

	"github.com/jstall/jstall/internal/jfr"
)

// Run answers a query from chunks, one after the other. It keeps groups, or rows; never events.
type Run struct {
	query *Query
	// items are those of the query, and behind them those that it only sorts by; columns are theirs.
	items   []Item
	columns []Column
	sources []SourceEvents
	// timed is true if the order of events counts.
	timed    bool
	sequence int64
	events   int64

	groups  map[string]*group
	rows    []*row
	key     []byte
	kept    int // bytes
	texts   map[string]string
	convert *converter
	names   names
}

// SourceEvents are what was found of a source.
type SourceEvents struct {
	Source Source
	// Types are the names of the event types that the recording describes, Events those that it has.
	Types  []string
	Events int64
}

func (s *SourceEvents) declared(t *jfr.Type) {
	if !slices.Contains(s.Types, t.Name) {
		s.Types = append(s.Types, t.Name)
	}
}

// group is a row in the making.
type group struct {
	first moment
	last  int64
	cells []aggregator
}

// row is one of the result.
type row struct {
	at    moment
	last  int64
	cells []Value
}

// NewRun begins to answer a query.
func NewRun(q *Query) *Run {
	r := &Run{query: q, items: slices.Clone(q.Items), groups: map[string]*group{}, texts: map[string]string{},
		names: newNames()}
	for _, o := range q.OrderBy {
		if !slices.ContainsFunc(r.items, o.Item.same) && q.Items != nil {
			r.items = append(r.items, o.Item)
		}
	}
	for _, i := range r.items {
		r.columns = append(r.columns, Column{Item: i})
	}
	for _, s := range q.Sources {
		r.sources = append(r.sources, SourceEvents{Source: s})
	}
	r.timed = !q.Aggregates() || len(q.OrderBy) == 0 || slices.ContainsFunc(r.items, func(i Item) bool {
		return slices.Contains([]Function{Plain, First, Last, LastBatch, List, Diff}, i.Function)
	})
	return r
}

// Chunk takes the events of a chunk. An error wraps ErrTooMuch, or is of the chunk: what was read before it counts.
func (r *Run) Chunk(c *jfr.Chunk) error {
	types := map[*jfr.Type]*typeBinding{}
	for _, t := range sorted(c.Types) {
		if b := r.bind(t); b != nil {
			types[t] = b
		}
	}
	if len(types) == 0 {
		return nil
	}
	r.convert = &converter{chunk: c, methods: map[uint64]string{}}
	return c.Events(func(t *jfr.Type) bool { return types[t] != nil }, func(t *jfr.Type, in *jfr.Decoder) error {
		return r.event(types[t], t, in)
	})
}

// sorted are the types of a chunk in one order, whatever the chunk.
func sorted(types jfr.Types) []*jfr.Type {
	var ids []jfr.TypeID
	for id := range types {
		ids = append(ids, id)
	}
	slices.Sort(ids)
	all := make([]*jfr.Type, len(ids))
	for i, id := range ids {
		all[i] = types[id]
	}
	return all
}

func (r *Run) event(b *typeBinding, t *jfr.Type, in *jfr.Decoder) error {
	r.events++
	if b.reads {
		b.eventPick = r.convert.chunk.Pick(t, in, b.wanted, b.eventPick)
		if in.Err != nil {
			return in.Err
		}
	}
	r.sequence++
	at := moment{sequence: r.sequence}
	if b.start != nil {
		at.end = b.start.of(b.eventPick, r.convert).Num
	}
	if b.duration != nil {
		if d := b.duration.of(b.eventPick, r.convert).Num; d > 0 && d < Forever {
			at.end = saturated(at.end, d)
		}
	}
	for _, one := range b.bindings {
		if err := r.take(one, b.eventPick, at); err != nil {
			return err
		}
	}
	return nil
}

// take adds an event to the group that it belongs to, or makes a row of it.
func (r *Run) take(b *binding, event jfr.Value, at moment) error {
	for _, f := range b.where {
		if !f.met(event, r.convert) {
			return nil
		}
	}
	r.sources[b.source].Events++
	if !r.query.Aggregates() {
		return r.addRow(b, event, at)
	}
	r.key = r.key[:0]
	for _, of := range b.groupBy {
		r.key = of.of(event, r.convert).appendKey(r.key)
	}
	g := r.groups[string(r.key)]
	if g == nil {
		if len(r.groups) >= maxGroups {
			return fmt.Errorf("%w: more than %d groups", ErrTooMuch, maxGroups)
		}
		g = r.newGroup(at)
		r.groups[string(r.key)] = g
	}
	if at.before(g.first) {
		g.first = at
	}
	g.last = max(g.last, at.end)
	for _, i := range b.counted {
		g.cells[i].add(Value{}, at)
	}
	for i, of := range b.items {
		if of == nil {
			continue
		}
		if v := of.of(event, r.convert); v.Kind != Missing {
			r.kept += g.cells[i].add(v, at)
		}
	}
	return r.bound()
}

func (r *Run) newGroup(at moment) *group {
	g := &group{first: at, last: at.end, cells: make([]aggregator, len(r.items))}
	for i, item := range r.items {
		g.cells[i] = newAggregator(item.Function)
	}
	return g
}

// bound ends a run that keeps too much.
func (r *Run) bound() error {
	if r.kept > maxKept {
		return fmt.Errorf("%w: more than %d MB of values", ErrTooMuch, maxKept>>20)
	}
	return nil
}

func (r *Run) addRow(b *binding, event jfr.Value, at moment) error {
	cells := make([]Value, len(r.items))
	for i, of := range b.items {
		if of == nil {
			continue
		}
		cells[i] = of.of(event, r.convert)
		cells[i].Text = r.shared(cells[i].Text)
		r.kept += valueSize
	}
	r.rows = append(r.rows, &row{at: at, cells: cells})
	if enough := 2*r.query.Limit + leastRows; r.query.Limit > 0 && len(r.rows) >= enough && !r.normalizes() {
		r.rows = r.ordered(r.rows)[:r.query.Limit]
		r.kept = len(r.rows) * len(r.items) * valueSize
		r.texts = map[string]string{}
	}
	return r.bound()
}

// leastRows are always kept before they are sorted.
const leastRows = 1000

// shared is a text that is in memory once, however many chunks have it.
func (r *Run) shared(s string) string {
	if len(s) < 16 {
		return s
	}
	known, ok := r.texts[s]
	if !ok {
		known, r.texts[s] = s, s
		r.kept += 2*valueSize + len(s)
	}
	return known
}
