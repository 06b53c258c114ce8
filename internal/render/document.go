package render

import "github.com/jstall/jstall/analysis/finding"

// document is a report as a list of blocks, independent of the output format. Its texts are raw; the writers escape
// them.
type document struct {
	blocks []block
}

// block is a heading, section, line, code, table, tree, source or gap.
type block any

// heading begins a part of the document: level 1 is the first line, 2 the verdict under a line that names the target, 3
// a finding or a thread.
type heading struct {
	level int
	text  []span
}

// section begins a part of the document with less weight. On a terminal its text is next to its title.
type section struct {
	title string
	text  []span
}

// line is one line, or a paragraph if it is long, with an optional label before it. Lines of an item are under its
// heading.
type line struct {
	label string
	text  []span
	// item reports that it belongs to the level-3 heading above it.
	item bool
	// cut shortens the line if there is no room, instead of wrapping it.
	cut bool
	// under puts the line below the text of the section above it.
	under bool
	// seen is the evidence that the line quotes; a page links to it.
	seen []finding.Evidence
}

// code is a stack or another quotation, one entry per line.
type code struct {
	lines []string
	item  bool
}

// tree is a list of lines with drawn branches before them.
type tree struct {
	rows []treeRow
}

type treeRow struct {
	branch string
	text   []span
}

func (t *tree) add(branch string, text []span) { t.rows = append(t.rows, treeRow{branch, text}) }

// source is text for another program, never wrapped or cut. In Markdown it is a block in its language.
type source struct {
	language string
	lines    []string
}

// gap separates the following block.
type gap struct{}

// table is rows of cells under columns.
type table struct {
	columns []column
	rows    [][]span
}

type column struct {
	title string
	right bool
	// flexible columns get narrower if the table is wider than the terminal.
	flexible bool
	// optional columns are left out if no row has a value.
	optional bool
	// spare columns are left out if the terminal is too narrow for all columns.
	spare bool
}

// style is the meaning of a span; the writers choose how it looks.
type style uint8

const (
	stylePlain  style = iota
	styleStrong       // names, headings
	styleFaint        // text that most readers skip
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

// proseCells is the length up to which a sentence is shown whole. A sentence may quote a name, and a name may be of any
// length.
const proseCells = 400

// prose is a sentence of the report.
func prose(s string) span { return span{shorten(escape(s), proseCells), stylePlain} }

func plain(s string) span  { return span{s, stylePlain} }
func strong(s string) span { return span{s, styleStrong} }
func faint(s string) span  { return span{s, styleFaint} }
func quoted(s string) span { return span{s, styleCode} }

// fit is the span's text, escaped, in at most limit columns; below 1 is no limit.
func (s span) fit(limit int) string {
	if s.style == styleCode || isQualified(s.text) {
		return shortenFrame(escape(s.text), limit)
	}
	return shorten(escape(s.text), limit)
}

func (d *document) heading(level int, text ...span) {
	d.blocks = append(d.blocks, heading{level, text})
}

func (d *document) section(title string, text ...span) {
	d.blocks = append(d.blocks, section{title, text})
}

// under is a line of the section above it.
func (d *document) under(text ...span) {
	d.blocks = append(d.blocks, line{text: text, under: true})
}

// underCut is such a line that is cut instead of wrapped.
func (d *document) underCut(text ...span) {
	d.blocks = append(d.blocks, line{text: text, under: true, cut: true})
}

func (d *document) line(label string, text ...span) {
	d.blocks = append(d.blocks, line{label: label, text: text})
}

func (d *document) code(lines []string) {
	if len(lines) > 0 {
		d.blocks = append(d.blocks, code{lines: lines})
	}
}

// table adds t without those optional columns that have no value.
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
	return t.only(keep)
}

// without returns the table without column i.
func (t table) without(i int) table {
	var keep []int
	for j := range t.columns {
		if j != i {
			keep = append(keep, j)
		}
	}
	return t.only(keep)
}

// only returns the table with some of its columns.
func (t table) only(keep []int) table {
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

func (d *document) gap() { d.blocks = append(d.blocks, gap{}) }
