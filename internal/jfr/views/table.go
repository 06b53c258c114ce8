package views

import (
	"strings"
	"time"
	"unicode/utf8"

	"github.com/jstall/jstall/internal/jfr/query"
)

// Page is an answer to be shown as text.
type Page struct {
	Title  string
	Result *query.Result
	Zone   *time.Location
	// Width is that of the terminal, 0 for no limit.
	Width int
	// Escape makes text of a recording fit for a terminal.
	Escape func(string) string
}

// usualHeight is how many lines a cell has that the query gives no height.
const usualHeight = 1

// Text is the answer with a title: a line for each value of a single row, a table for rows.
func (p *Page) Text() string {
	var b strings.Builder
	b.WriteString(p.Title + "\n" + strings.Repeat("-", utf8.RuneCountInString(p.Title)) + "\n")
	if p.Result.Single {
		for i := range p.Result.Columns {
			c := &p.Result.Columns[i]
			value := unknown
			if len(p.Result.Rows) > 0 {
				value = Cell(p.Result.Rows[0][i], c, p.Zone)
			}
			b.WriteString(p.Escape(Heading(c)) + ": " + p.Escape(strings.ReplaceAll(value, "\n", " ")) + "\n")
		}
		return b.String()
	}
	p.table(&b)
	return b.String()
}

// Heading is the name of a column for people.
func Heading(c *query.Column) string {
	switch {
	case c.Title != "":
		return c.Title
	case c.Alias != "":
		return c.Alias
	case c.Label != "" && c.Function == query.Plain:
		return c.Label
	}
	return c.String()
}

// table writes rows below headings. Numbers are to the right.
func (p *Page) table(b *strings.Builder) {
	headings := make([][]string, len(p.Result.Columns))
	right := make([]bool, len(headings))
	for i := range p.Result.Columns {
		headings[i], right[i] = []string{p.Escape(Heading(&p.Result.Columns[i]))}, true
	}
	all := [][][]string{headings}
	for _, row := range p.Result.Rows {
		cells := make([][]string, len(row))
		for i, v := range row {
			cells[i] = p.lines(v, &p.Result.Columns[i])
			right[i] = right[i] && (v.IsNumber() || v.Kind == query.Missing || v.Kind == query.Truth)
		}
		all = append(all, cells)
	}
	widths := p.widths(all)
	for i, row := range all {
		p.row(b, row, widths, right)
		if i == 0 {
			rule := make([][]string, len(widths))
			for c, w := range widths {
				rule[c] = []string{strings.Repeat("-", w)}
			}
			p.row(b, rule, widths, right)
		}
	}
}

// lines are those of a cell, as many as its column shows.
func (p *Page) lines(v query.Value, c *query.Column) []string {
	height := usualHeight
	if c.Format.CellHeight > 0 {
		height = c.Format.CellHeight
	}
	lines := strings.Split(Cell(v, c, p.Zone), "\n")
	for i := range lines {
		lines[i] = p.Escape(lines[i])
	}
	if len(lines) > height {
		lines = lines[:height]
	}
	return lines
}

// narrowest is how narrow a column may become.
const narrowest = 8

// widths fits the columns into the terminal: the widest is cut first.
func (p *Page) widths(all [][][]string) []int {
	widths := make([]int, len(p.Result.Columns))
	total := len(widths) - 1
	for i := range widths {
		for _, row := range all {
			for _, line := range row[i] {
				widths[i] = max(widths[i], utf8.RuneCountInString(line))
			}
		}
		total += widths[i]
	}
	for p.Width > 0 && total > p.Width {
		widest := 0
		for i := range widths {
			if widths[i] > widths[widest] {
				widest = i
			}
		}
		if widths[widest] <= narrowest {
			break
		}
		widths[widest]--
		total--
	}
	return widths
}

func (p *Page) row(b *strings.Builder, cells [][]string, widths []int, right []bool) {
	height := 0
	for _, c := range cells {
		height = max(height, len(c))
	}
	for at := range height {
		var line strings.Builder
		for i, c := range cells {
			text := ""
			if at < len(c) {
				text = cut(c[at], widths[i], p.Result.Columns[i].Format.FromBeginning)
			}
			space := strings.Repeat(" ", widths[i]-utf8.RuneCountInString(text))
			if i > 0 {
				line.WriteByte(' ')
			}
			if right[i] {
				line.WriteString(space + text)
			} else {
				line.WriteString(text + space)
			}
		}
		b.WriteString(strings.TrimRight(line.String(), " ") + "\n")
	}
}

// cut shortens a text to a width, at its end or its beginning.
func cut(text string, width int, atBeginning bool) string {
	runes := []rune(text)
	switch {
	case len(runes) <= width:
		return text
	case atBeginning:
		return "…" + string(runes[len(runes)-width+1:])
	}
	return string(runes[:width-1]) + "…"
}
