package query

import (
	"maps"
	"slices"
	"strings"

	"github.com/jstall/jstall/internal/jfr"
)

// Unknown is a name of a query that no recording describes.
type Unknown struct {
	// Event is the type of events that does not exist, empty if it is the field that does not.
	Event string
	// Field is the field that no type of Types has.
	Field string
	Types []string
	// Names are those that exist instead, in their order: of event types without their package, or of fields.
	Names []string
}

// names are what the chunks describe.
type names struct {
	events map[string]bool
	fields map[string]bool
	// paths are the paths of the query that some type has.
	paths map[string]bool
}

func newNames() names {
	return names{events: map[string]bool{}, fields: map[string]bool{}, paths: map[string]bool{}}
}

// describe notes a type that a source matches.
func (n *names) describe(t *jfr.Type) {
	for i := range t.Fields {
		n.fields[t.Fields[i].Name] = true
	}
}

// found notes a path that a type has.
func (n *names) found(path Path, of *reading) {
	if of != nil {
		n.paths[strings.Join(path, ".")] = true
	}
}

// Unknown is the first name of the query that no chunk describes, nil if all are described.
func (r *Run) Unknown() *Unknown {
	var types []string
	for _, s := range r.sources {
		if len(s.Types) == 0 && s.Source.Type != "*" {
			return &Unknown{Event: s.Source.Type, Names: shortNames(r.names.events)}
		}
		types = append(types, s.Types...)
	}
	if len(types) == 0 {
		return nil
	}
	for _, path := range r.query.paths() {
		if name := strings.Join(path, "."); !r.names.paths[name] {
			return &Unknown{Field: name, Types: types, Names: slices.Sorted(maps.Keys(r.names.fields))}
		}
	}
	return nil
}

// shortNames are the names of types without their packages, in order.
func shortNames(types map[string]bool) []string {
	short := map[string]bool{}
	for name := range types {
		short[name[strings.LastIndexByte(name, '.')+1:]] = true
	}
	return slices.Sorted(maps.Keys(short))
}

// paths are all fields that the query names: what it groups by first, as nothing else is looked for without that.
func (q *Query) paths() []Path {
	all := slices.Clone(q.GroupBy)
	for _, c := range q.Where {
		all = append(all, c.Path)
	}
	for _, i := range q.Items {
		if i.Path != nil {
			all = append(all, i.Path)
		}
	}
	for _, o := range q.OrderBy {
		if o.Item.Path != nil {
			all = append(all, o.Item.Path)
		}
	}
	return all
}
