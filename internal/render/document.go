package render

// document is a report laid out as blocks, before it is decided how they are
// written. Texts in it are raw; the writers escape them.
type document struct {
	blocks []block
}

// block is a heading, line, code or table.
type block any

// heading opens a part of the document: level 1 the verdict or a target, 2 a
// section, 3 an item of a section.
type heading struct {
	level int
	text  []span
}

// line is one line, or a paragraph if it is long, with an optional label before
// it. Lines of an item stand under its heading.
type line struct {
	label string
	text  []span
	// item tells that it belongs to the level-3 heading above it.
	item bool
	// cut shortens the line where there is no room, instead of wrapping it.
	cut bool
}

// code is a stack or another quotation, one entry a line.
type code struct {
	lines []string
	item  bool
}

// table is rows of cells under columns.
type table struct {
	columns []column
	rows    [][]span
}

type column struct {
	title string
	right bool
	// flexible columns give way where the table is wider than the terminal.
	flexible bool
	// optional columns are left out if no row knows a value.
	optional bool
}

// style says what a span means; the writers choose its looks.
type style uint8

const (
	stylePlain  style = iota
	styleStrong       // names, headings
	styleFaint        // what most readers skip
	styleAlarm        // deadlocked, critical
	styleCaution
	styleNotice
	styleCalm
	styleCode // frames, quotations: literal in Markdown
)

// span is a piece of text of one style.
type span struct {
	text  string
	style style
}

func plain(s string) span  { return span{s, stylePlain} }
func strong(s string) span { return span{s, styleStrong} }
func faint(s string) span  { return span{s, styleFaint} }
func quoted(s string) span { return span{s, styleCode} }

func (d *document) heading(level int, text ...span) {
	d.blocks = append(d.blocks, heading{level, text})
}

func (d *document) line(label string, text ...span) {
	d.blocks = append(d.blocks, line{label: label, text: text})
}

func (d *document) code(lines []string) {
	if len(lines) > 0 {
		d.blocks = append(d.blocks, code{lines: lines})
	}
}

// table adds t without those optional columns that no row knows.
func (d *document) table(t table) {
	d.blocks = append(d.blocks, t.withoutEmpty())
}

func (t *table) add(cells ...span) { t.rows = append(t.rows, cells) }

func (t table) withoutEmpty() table {
	var keep []int
	for i, c := range t.columns {
		if !c.optional || t.knows(i) {
			keep = append(keep, i)
		}
	}
	out := table{rows: make([][]span, len(t.rows))}
	for _, i := range keep {
		out.columns = append(out.columns, t.columns[i])
		for j, row := range t.rows {
			out.rows[j] = append(out.rows[j], row[i])
		}
	}
	return out
}

func (t table) knows(column int) bool {
	for _, row := range t.rows {
		if s := row[column].text; s != unknown && s != "" {
			return true
		}
	}
	return false
}
