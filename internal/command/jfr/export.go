package jfr

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/xrash/smetrics"

	"github.com/jstall/jstall/internal/jfr/rows"
	"github.com/jstall/jstall/internal/render"
	"github.com/jstall/jstall/internal/shell"
	"github.com/jstall/jstall/internal/source"
	"github.com/jstall/jstall/internal/source/file"
)

// export writes the events of recordings.
type export struct {
	env  *shell.Env
	o    eventsOptions
	rows int
	// seen are the events of all files.
	seen rows.Counts
	// unread are the errors of files that could not be read completely.
	unread []error
	// writing is the error that ended writing.
	writing error
}

// counted counts rows, and passes them on up to the limit.
func (x *export) counted(to rows.Sink) rows.Sink {
	return sinkFunc(func(t *rows.Table, cells []rows.Cell) error {
		if x.o.limit > 0 && x.rows == x.o.limit {
			return rows.ErrEnough
		}
		x.rows++
		x.writing = to.Row(t, cells)
		return x.writing
	})
}

type sinkFunc func(*rows.Table, []rows.Cell) error

// Row passes a row to the function.
func (f sinkFunc) Row(t *rows.Table, cells []rows.Cell) error { return f(t, cells) }

// writeWhole is write for a file, which is not made without any events.
func (x *export) writeWhole(ctx context.Context, w io.Writer) error {
	if err := x.write(ctx, w); err != nil {
		return err
	}
	if x.rows == 0 {
		return errNoRows
	}
	return nil
}

// errNoRows keeps an empty file from being made.
var errNoRows = errors.New("no event")

// write writes the events, or their columns.
func (x *export) write(ctx context.Context, w io.Writer) error {
	x.seen = rows.Counts{}
	switch {
	case x.o.schema:
		return x.writeSchema(ctx, w)
	case x.o.format == asCSV:
		return x.writeCSV(ctx, w)
	}
	return x.each(ctx, func(in io.Reader) error { return x.read(in, &rows.NDJSON{To: w}) })
}

// read converts one file to rows.
func (x *export) read(in io.Reader, to rows.Sink) error {
	seen, err := rows.Read(in, x.o.chosen, x.counted(to))
	for event, n := range seen {
		x.seen[event] += n
	}
	return err
}

// writeCSV reads the files twice: first only to find the columns of the chosen events.
func (x *export) writeCSV(ctx context.Context, w io.Writer) error {
	var found rows.Found
	err := x.each(ctx, func(in io.Reader) error { return found.Survey(in, x.o.chosen, false) })
	if err != nil {
		return err
	}
	if len(found.Tables) == 0 {
		x.seen = found.Events
		return nil
	}
	unread := x.unread
	out, err := rows.NewCSV(w, found.Columns(), render.Escape)
	if err != nil {
		return err
	}
	if err := x.each(ctx, func(in io.Reader) error { return x.read(in, out) }); err != nil {
		return err
	}
	x.unread = unread // they were met again
	return out.Flush()
}

// each visits the content of the files. A file that cannot be read does not affect the others.
func (x *export) each(ctx context.Context, visit func(io.Reader) error) error {
	for _, name := range x.o.files {
		if x.o.limit > 0 && x.rows == x.o.limit {
			return nil
		}
		in, err := openFlight(ctx, name, x.env.Stdin)
		if err != nil {
			x.unread = append(x.unread, err)
			continue
		}
		err = visit(in)
		_ = in.Close()
		switch {
		case err == nil:
		case ctx.Err() != nil:
			return ctx.Err()
		case x.writing != nil:
			return x.writing
		default:
			x.unread = append(x.unread, fmt.Errorf("%s: %w", source.NameOf(name), err))
		}
	}
	return nil
}

// outcome is the error of the whole export: events that were not found, and files that were not read completely.
func (x *export) outcome() error {
	for _, err := range x.unread {
		x.env.Complain("warning: "+shell.Failure(err).Message, "")
	}
	switch {
	case x.rows > 0 && len(x.unread) > 0:
		return &shell.ExitError{Code: shell.ExitPartial}
	case x.rows > 0:
		return nil
	case len(x.seen) == 0 && len(x.unread) > 0:
		return shell.NoResult("name a file of the flight recorder (jcmd PID JFR.dump filename=app.jfr)",
			"no event was read")
	}
	return shell.NoResult(x.near(), "no event %s in %s", strings.Join(x.o.names, ", "), strings.Join(x.o.files, ", "))
}

// near suggests events that the files have.
func (x *export) near() string {
	const most = 5
	var names []string
	there := 0
	for event, n := range x.seen {
		if n == 0 {
			continue
		}
		if there++; x.distance(event) <= farthest {
			names = append(names, event)
		}
	}
	slices.SortFunc(names, func(a, b string) int {
		return cmp.Or(x.distance(a)-x.distance(b), strings.Compare(a, b))
	})
	switch {
	case there == 0:
		return "the recording has no events at all"
	case len(names) == 0:
		return "jstall jfr summary " + file.ShellWord(x.o.files[0]) + " lists the events there"
	}
	return "events like it there: " + strings.Join(names[:min(most, len(names))], ", ")
}

// farthest bounds the distance of similar names; for a short word it is half its length.
const farthest = 8

// distance is the distance of an event's name from the requested ones.
func (x *export) distance(event string) int {
	short := strings.ToLower(event[strings.LastIndexByte(event, '.')+1:])
	least := 1 << 10
	for _, name := range x.o.names {
		name = strings.ToLower(name[strings.LastIndexByte(name, '.')+1:])
		name = strings.NewReplacer("*", "", "?", "").Replace(name)
		d := smetrics.WagnerFischer(name, short, 2, 2, 3)
		if strings.Contains(short, name) || strings.Contains(name, short) {
			d /= 4
		}
		least = min(least, d)
	}
	return least
}
