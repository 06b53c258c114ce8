package query

import (
	"slices"
	"strconv"
	"strings"

	"github.com/jstall/jstall/internal/jfr"
)

// binding is a source of the query in events of one type of a chunk.
type binding struct {
	source  int
	groupBy []*reading
	// items are how columns are read; nil where the source has nothing for a column.
	items []*reading
	// counted are the columns that count events.
	counted []int
	where   []filter
}

// filter is a condition on events of one type; without a reading none of them meets it.
type filter struct {
	by *reading
	Condition
}

// typeBinding is all that is read from the events of a type.
type typeBinding struct {
	wanted    []bool
	reads     bool
	bindings  []*binding
	start     *reading
	duration  *reading
	eventPick jfr.Value
}

// matches reports that a source is of events of the type. A name without its package is the JDK's, or else anybody's.
func (s Source) matches(t *jfr.Type) bool {
	return s.Type == "*" || t.Name == s.Type || t.Name == "jdk."+s.Type || strings.HasSuffix(t.Name, "."+s.Type)
}

// bind finds how the events of a chunk's type are read; nil if the query does not want them.
func (r *Run) bind(t *jfr.Type) *typeBinding {
	b := &typeBinding{wanted: make([]bool, len(t.Fields))}
	if t.IsEvent() {
		r.names.events[t.Name] = true
	}
	for i, s := range r.query.Sources {
		if t.IsEvent() && s.matches(t) {
			r.sources[i].declared(t)
			r.names.describe(t)
			if one := r.bindSource(i, t); one != nil {
				b.bindings = append(b.bindings, one)
			}
		}
	}
	if len(b.bindings) == 0 {
		return nil
	}
	if r.timed {
		b.start, b.duration = compile(Path{"startTime"}, t), compile(Path{"duration"}, t)
	}
	for _, one := range b.bindings {
		for _, of := range slices.Concat(one.groupBy, one.items) {
			b.want(of)
		}
		for _, f := range one.where {
			b.want(f.by)
		}
	}
	b.want(b.start)
	b.want(b.duration)
	return b
}

func (b *typeBinding) want(r *reading) {
	if r != nil && r.constant == nil {
		b.wanted[r.field], b.reads = true, true
	}
}

// bindSource is nil if events of the type have no field to be grouped by.
func (r *Run) bindSource(source int, t *jfr.Type) *binding {
	b := &binding{source: source}
	for _, path := range r.query.GroupBy {
		of := r.path(path, source, t)
		if of == nil {
			return nil
		}
		b.groupBy = append(b.groupBy, of)
	}
	for _, c := range r.query.Where {
		if path, ok := r.ofSource(c.Path, source); ok {
			of := compile(path, t)
			r.names.found(c.Path, of)
			b.where = append(b.where, filter{of, c})
		}
	}
	if r.query.Items == nil {
		r.addFields(t)
	}
	for i := range r.items {
		c := &r.items[i]
		if c.Path == nil {
			b.counted, b.items = append(b.counted, i), append(b.items, nil)
			continue
		}
		of := r.path(c.Path, source, t)
		b.items = append(b.items, of)
		if of != nil {
			r.columns[i].learn(of)
		}
	}
	return b
}

// path is how a path of the query is read from events of a source, nil if they have no such field.
func (r *Run) path(path Path, source int, t *jfr.Type) *reading {
	ofSource, ok := r.ofSource(path, source)
	if !ok {
		return nil
	}
	of := compile(ofSource, t)
	r.names.found(path, of)
	return of
}

// ofSource is a path without the alias before it, and whether it is of the source.
func (r *Run) ofSource(path Path, source int) (Path, bool) {
	isAlias := slices.ContainsFunc(r.query.Sources, func(s Source) bool { return s.Alias == path[0] })
	switch {
	case !isAlias || len(path) == 1:
		return path, true
	case r.query.Sources[source].Alias == path[0]:
		return path[1:], true
	}
	return nil, false
}

// addFields makes columns of the fields of a type that have none yet.
func (r *Run) addFields(t *jfr.Type) {
	for i := range t.Fields {
		item := Item{Path: Path{t.Fields[i].Name}, Format: Format{Milliseconds: -1}}
		if !slices.ContainsFunc(r.items, item.same) {
			r.items = append(r.items, item)
			r.columns = append(r.columns, Column{Item: item})
		}
	}
}

// met reports that an event meets the condition.
func (f filter) met(event jfr.Value, c *converter) bool {
	if f.by == nil {
		return f.Operator == "!="
	}
	v := f.by.of(event, c)
	if f.Operator == "CONTAINS" {
		return strings.Contains(v.plain(), f.Value.Text)
	}
	order := f.compare(v)
	switch f.Operator {
	case "=":
		return order == 0
	case "!=":
		return order != 0
	}
	if v.Kind == Missing {
		return false
	}
	switch f.Operator {
	case "<":
		return order < 0
	case "<=":
		return order <= 0
	case ">":
		return order > 0
	}
	return order >= 0
}

// compare is the order of a value and the constant of the condition.
func (f filter) compare(v Value) int {
	if v.IsNumber() {
		if f.Value.IsNumber {
			return compare(real(v.Float()), real(f.Value.Number))
		}
		if n, err := strconv.ParseFloat(f.Value.Text, 64); err == nil {
			return compare(real(v.Float()), real(n))
		}
	}
	return strings.Compare(v.plain(), f.Value.Text)
}
