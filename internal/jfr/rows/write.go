package rows

import (
	"encoding/csv"
	"io"
)

// NDJSON writes each row as a JSON object on one line. All columns of its event are there, null or not.
type NDJSON struct {
	To   io.Writer
	line []byte
}

// Row writes one.
func (w *NDJSON) Row(t *Table, cells []Cell) error {
	b := w.line[:0]
	for i, c := range cells {
		b = appendCell(append(b, t.keys[i]...), c)
	}
	w.line = append(b, "}\n"...)
	_, err := w.To.Write(w.line)
	return err
}

// CSV writes rows with the columns that it is made with. Null is an empty cell, a list is JSON.
type CSV struct {
	to     *csv.Writer
	escape func(string) string
	at     map[string]int // of each column
	record []string
	places map[*Table][]int
}

// NewCSV writes the names of the columns. Texts are given to escape.
func NewCSV(w io.Writer, columns []string, escape func(string) string) (*CSV, error) {
	c := &CSV{to: csv.NewWriter(w), escape: escape, at: map[string]int{}, record: make([]string, len(columns))}
	for i, name := range columns {
		c.at[name], c.record[i] = i, escape(name)
	}
	return c, c.to.Write(c.record)
}

// Row writes one. A column that the file has not is left out.
func (c *CSV) Row(t *Table, cells []Cell) error {
	clear(c.record)
	for i, place := range c.place(t) {
		switch cell := cells[i]; {
		case place < 0 || cell.Kind == Null:
		case cell.Kind == Text:
			c.record[place] = c.escape(string(cell.Plain))
		default:
			c.record[place] = string(cell.Plain)
		}
	}
	return c.to.Write(c.record)
}

// place maps each column of a table to its place, -1 for none. Only the tables of the chunk in hand are kept.
func (c *CSV) place(t *Table) []int {
	if known := c.places[t]; known != nil {
		return known
	}
	places := make([]int, len(t.Columns))
	for i, column := range t.Columns {
		places[i] = -1
		if at, ok := c.at[column.Name]; ok {
			places[i] = at
		}
	}
	if len(c.places) >= maxPlaces || c.places == nil {
		c.places = map[*Table][]int{}
	}
	c.places[t] = places
	return places
}

// maxPlaces is how many tables are remembered.
const maxPlaces = 1 << 10

// Flush writes what is held back.
func (c *CSV) Flush() error {
	c.to.Flush()
	return c.to.Error()
}
