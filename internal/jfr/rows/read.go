package rows

import (
	"errors"
	"io"

	"github.com/jstall/jstall/internal/jfr"
)

// Sink takes rows. The cells belong to the columns of the table; they hold until the next row.
type Sink interface {
	Row(t *Table, cells []Cell) error
}

// ErrEnough is what a sink returns when it wants no more rows.
var ErrEnough = errors.New("no more rows are wanted")

// sinkError is an error of a sink and not of the recording.
type sinkError struct{ error }

func (e sinkError) Unwrap() error { return e.error }

// Counts are how many events there are by the names of their types.
type Counts map[string]int

// Read makes rows of the events whose types are chosen by name, in the order of the file, and counts all events. An
// error names the chunk that cannot be read; the rows before it have been handed out. An error of the sink ends the
// reading, and is returned as it is; [ErrEnough] is not an error.
func Read(in io.Reader, chosen func(event string) bool, to Sink) (Counts, error) {
	seen := Counts{}
	err := each(in, func(c *jfr.Chunk) error {
		r := &reader{chunk: c, to: to, tables: map[*jfr.Type]*Table{}, left: maxColumns}
		return events(c, seen, chosen, r.event)
	})
	var ofSink sinkError
	if errors.As(err, &ofSink) {
		err = ofSink.error
	}
	if err == ErrEnough {
		err = nil
	}
	return seen, err
}

// each visits the chunks of a file.
func each(in io.Reader, visit func(*jfr.Chunk) error) error {
	file := jfr.NewReader(in)
	for {
		chunk, err := file.Next()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		if err := visit(chunk); err != nil {
			return file.Fail(err)
		}
	}
}

// events visits the chosen events of a chunk, and counts all.
func events(c *jfr.Chunk, seen Counts, chosen func(string) bool, visit func(*jfr.Type, *jfr.Decoder) error) error {
	known := map[*jfr.Type]*struct {
		count  int
		chosen bool
	}{}
	defer func() {
		for t, k := range known {
			seen[t.Name] += k.count
		}
	}()
	return c.Events((*jfr.Type).IsEvent, func(t *jfr.Type, in *jfr.Decoder) error {
		k := known[t]
		if k == nil {
			k = &struct {
				count  int
				chosen bool
			}{0, chosen(t.Name)}
			known[t] = k
		}
		if k.count++; !k.chosen {
			return nil
		}
		return visit(t, in)
	})
}

// reader makes the rows of a chunk.
type reader struct {
	chunk   *jfr.Chunk
	to      Sink
	tables  map[*jfr.Type]*Table
	left    int // columns that there may be
	encoder *encoder
	cells   []Cell
}

func (r *reader) event(t *jfr.Type, in *jfr.Decoder) error {
	table := r.tables[t]
	if table == nil {
		var err error
		if table, err = r.begin(t); err != nil {
			return err
		}
	}
	if len(r.cells) < len(table.Columns) {
		r.cells = make([]Cell, len(table.Columns))
	}
	cells := r.cells[:len(table.Columns)]
	if err := r.encoder.row(table, in, cells); err != nil {
		return err
	}
	if err := r.to.Row(table, cells); err != nil {
		return sinkError{err}
	}
	return nil
}

// begin makes the table of a type.
func (r *reader) begin(t *jfr.Type) (*Table, error) {
	if r.encoder == nil {
		e, err := newEncoder(r.chunk)
		if err != nil {
			return nil, err
		}
		r.encoder = e
	}
	table, err := tableOf(t, &r.left)
	if err != nil {
		return nil, err
	}
	r.tables[t] = table
	return table, nil
}
