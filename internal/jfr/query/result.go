package query

import (
	"cmp"
	"slices"
)

// Column is one of a result.
type Column struct {
	Item
	// Unit is that of its numbers, after the function.
	Unit Unit
	// Label is what the recording calls the field, empty if it has none.
	Label string
	known bool
}

// learn takes the unit and the label from the first source that has the field.
func (c *Column) learn(of *reading) {
	if c.known {
		return
	}
	c.known, c.Label, c.Unit = true, of.label, of.unit
	switch c.Function {
	case Count, Unique:
		c.Unit = NoUnit
	case Diff:
		if c.Unit == Time {
			c.Unit = Duration
		}
	case Set, List:
		c.Unit = PlainText
	}
}

// Result is the answer to a query.
type Result struct {
	Columns []Column
	Rows    [][]Value
	// Single is true if the query makes one row of all events.
	Single  bool
	Sources []SourceEvents
	// Events is how many events were read.
	Events int64
}

// Result is the answer from the chunks so far.
func (r *Run) Result() *Result {
	single := r.query.Aggregates() && len(r.query.GroupBy) == 0
	rows := r.rows
	for _, g := range r.groups {
		rows = append(rows, r.rowOf(g))
	}
	rows = r.ordered(r.lastBatch(rows))
	visible := len(r.query.Items)
	if r.query.Items == nil {
		visible = len(r.items)
	}
	out := &Result{Columns: r.columns[:visible], Single: single, Sources: r.sources, Events: r.events}
	shares := r.shares(rows, visible)
	for i, row := range rows {
		if r.query.Limit > 0 && i >= r.query.Limit {
			break
		}
		cells := make([]Value, visible)
		copy(cells, row.cells)
		for c, total := range shares {
			if cells[c].IsNumber() && total != 0 {
				cells[c] = real(cells[c].Float() / total)
			}
		}
		out.Rows = append(out.Rows, cells)
	}
	return out
}

func (r *Run) rowOf(g *group) *row {
	one := &row{at: g.first, last: g.last, cells: make([]Value, len(g.cells))}
	for i, a := range g.cells {
		one.cells[i] = a.result()
		if r.items[i].Function == Diff && r.columns[i].Unit == Duration && one.cells[i].Kind == Missing {
			one.cells[i] = whole(Forever) // it began, and has not ended
		}
	}
	return one
}

// lastBatch leaves the rows of the latest events, if the query has a column of them.
func (r *Run) lastBatch(rows []*row) []*row {
	if !slices.ContainsFunc(r.items, func(i Item) bool { return i.Function == LastBatch }) {
		return rows
	}
	slices.SortFunc(rows, func(a, b *row) int { return cmp.Compare(b.last, a.last) })
	for i := 1; i < len(rows); i++ {
		if rows[i-1].last-rows[i].last > batchGap {
			return rows[:i]
		}
	}
	return rows
}

// batchGap is the longest time between two events that the JVM writes one after the other, in nanoseconds.
const batchGap = 10_000_000

// ordered sorts rows as the query has it; equal ones by time.
func (r *Run) ordered(rows []*row) []*row {
	var by []int
	for _, o := range r.query.OrderBy {
		by = append(by, slices.IndexFunc(r.items, o.Item.same))
	}
	slices.SortFunc(rows, func(a, b *row) int {
		for i, column := range by {
			if column < 0 || column >= len(a.cells) || column >= len(b.cells) {
				continue
			}
			order := compare(a.cells[column], b.cells[column])
			if r.query.OrderBy[i].Desc {
				order = -order
			}
			if order != 0 {
				return order
			}
		}
		return cmp.Or(cmp.Compare(a.at.end, b.at.end), cmp.Compare(a.at.sequence, b.at.sequence))
	})
	return rows
}

func (r *Run) normalizes() bool {
	return slices.ContainsFunc(r.items, func(i Item) bool { return i.Format.Normalized })
}

// shares are the sums of the columns that show shares of them.
func (r *Run) shares(rows []*row, visible int) map[int]float64 {
	totals := map[int]float64{}
	for c := range r.columns[:visible] {
		if !r.columns[c].Format.Normalized {
			continue
		}
		r.columns[c].Unit = Share
		totals[c] = 0
		for _, one := range rows {
			if v := one.cells[c]; v.IsNumber() {
				totals[c] += v.Float()
			}
		}
	}
	return totals
}
