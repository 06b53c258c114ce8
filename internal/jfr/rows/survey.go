package rows

import (
	"io"

	"github.com/jstall/jstall/internal/jfr"
)

// Found is what files have: a zero Found is that of none.
type Found struct {
	// Events counts those of all types.
	Events Counts
	// Tables are those of the chosen types, in the order in which their events, or else their descriptions, first come;
	// of a type that differs from chunk to chunk there are several.
	Tables []*Table
	shapes map[string]bool
	left   int
}

// Survey adds to what was found what a file has, up to an error. Types are chosen by name; those without an event are
// left out unless described is true.
func (f *Found) Survey(in io.Reader, chosen func(event string) bool, described bool) error {
	if f.Events == nil {
		f.Events, f.shapes, f.left = Counts{}, map[string]bool{}, maxColumns
	}
	return each(in, func(c *jfr.Chunk) error {
		done := map[*jfr.Type]bool{}
		err := events(c, f.Events, chosen, func(t *jfr.Type, _ *jfr.Decoder) error {
			if done[t] {
				return nil
			}
			done[t] = true
			return f.add(t)
		})
		if err != nil || !described {
			return err
		}
		for _, t := range c.Types {
			if t.IsEvent() && !done[t] && chosen(t.Name) {
				if err := f.add(t); err != nil {
					return err
				}
			}
		}
		return nil
	})
}

// add adds the table of a type unless there is one like it.
func (f *Found) add(t *jfr.Type) error {
	left := f.left
	table, err := tableOf(t, &left)
	if err != nil {
		return err
	}
	shape := table.Event
	for _, c := range table.Columns {
		shape += "\x00" + c.Name + "\x00" + c.Type + "\x00" + c.Unit
	}
	if !f.shapes[shape] {
		f.shapes[shape], f.left = true, left
		f.Tables = append(f.Tables, table)
	}
	return nil
}

// Columns are the names of all columns of the tables, in the order in which they first come.
func (f *Found) Columns() []string {
	var names []string
	known := map[string]bool{}
	for _, t := range f.Tables {
		for _, c := range t.Columns {
			if !known[c.Name] {
				known[c.Name] = true
				names = append(names, c.Name)
			}
		}
	}
	return names
}
