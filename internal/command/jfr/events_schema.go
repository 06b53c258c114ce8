package jfr

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/jstall/jstall/internal/jfr/rows"
	"github.com/jstall/jstall/internal/render"
)

// writeSchema writes the columns of the chosen events that the files describe, even of those that do not occur.
func (x *export) writeSchema(ctx context.Context, w io.Writer) error {
	var found rows.Found
	err := x.each(ctx, func(in io.Reader) error { return found.Survey(in, x.o.chosen, true) })
	if err != nil {
		return err
	}
	x.seen = found.Events
	for _, t := range found.Tables {
		if x.seen[t.Event] == 0 {
			x.seen[t.Event] = 0
		}
		x.rows += len(t.Columns)
	}
	slices.SortStableFunc(found.Tables, func(a, b *rows.Table) int { return strings.Compare(a.Event, b.Event) })
	switch {
	case x.rows == 0:
		return nil
	case x.o.format == asNDJSON:
		return found.Schema(&rows.NDJSON{To: w})
	case x.o.format == asCSV:
		out, err := rows.NewCSV(w, rows.SchemaColumns(), render.Escape)
		if err == nil {
			err = found.Schema(out)
		}
		if err != nil {
			return err
		}
		return out.Flush()
	}
	for i, t := range found.Tables {
		if i > 0 {
			if _, err := fmt.Fprintln(w); err != nil {
				return err
			}
		}
		if err := schemaText(w, t, x.seen[t.Event]); err != nil {
			return err
		}
	}
	return nil
}

// schemaText writes the columns of one table as text.
func schemaText(w io.Writer, t *rows.Table, events int) error {
	title := fmt.Sprintf("%s: %s", t.Event, t.Label)
	if t.Description != "" {
		title += ". " + t.Description
	}
	if _, err := fmt.Fprintf(w, "%s (%d events)\n", render.Escape(title), events); err != nil {
		return err
	}
	out := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	write := func(cells ...string) {
		for i := range cells {
			cells[i] = render.Escape(cells[i])
		}
		_, _ = fmt.Fprintln(out, strings.TrimRight(strings.Join(cells, "\t"), "\t")) // Flush has the error
	}
	write("COLUMN", "TYPE", "UNIT", "LABEL")
	for _, c := range t.Columns {
		label := c.Label
		if c.Contextual {
			label += " (contextual)"
		}
		if c.Description != "" {
			label += ": " + c.Description
		}
		write(c.Name, c.Type, c.Unit, label)
	}
	return out.Flush()
}
