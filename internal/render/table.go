package render

const (
	tableGap = 2 // columns before each cell
	// minFlexible is the minimum width of a flexible column while others can be dropped instead, minNarrow the minimum
	// when no other can be dropped.
	minFlexible = 16
	minNarrow   = 6
)

// table writes columns as wide as their widest cell. A table that is wider than the terminal drops its spare columns,
// and then the widest of those that are not flexible, but never the first. The flexible ones share the remaining
// shortage.
func (t *terminal) table(tb table) {
	tb = escaped(tb)
	widths := tb.widths()
	for t.width > 0 && least(tb.columns, widths) > t.width {
		narrower, ok := tb.withoutSpare()
		if !ok {
			narrower, ok = tb.withoutWidest(widths)
		}
		if !ok {
			break
		}
		tb, widths = narrower, narrower.widths()
	}
	t.fit(tb.columns, widths, minFlexible)
	t.fit(tb.columns, widths, minNarrow)
	header := make([]span, len(tb.columns))
	for i, c := range tb.columns {
		header[i] = faint(c.title)
	}
	t.row(tb.columns, widths, header)
	for _, row := range tb.rows {
		t.row(tb.columns, widths, row)
	}
}

func escaped(tb table) table {
	out := table{columns: tb.columns, rows: make([][]span, len(tb.rows))}
	for i, row := range tb.rows {
		out.rows[i] = make([]span, len(row))
		for j, s := range row {
			out.rows[i][j] = span{escape(s.text), s.style}
		}
	}
	return out
}

func (t table) widths() []int {
	widths := make([]int, len(t.columns))
	for i, c := range t.columns {
		widths[i] = cells(c.title)
		for _, row := range t.rows {
			widths[i] = max(widths[i], cells(row[i].text))
		}
	}
	return widths
}

// least is the width of a table whose flexible columns are as narrow as possible.
func least(columns []column, widths []int) int {
	total := 0
	for i, c := range columns {
		w := widths[i]
		if c.flexible {
			w = min(w, minFlexible)
		}
		total += w + tableGap
	}
	return total
}

// withoutSpare drops the last spare column; not ok without one.
func (t table) withoutSpare() (table, bool) {
	for i := len(t.columns) - 1; i >= 0; i-- {
		if t.columns[i].spare {
			return t.without(i), true
		}
	}
	return t, false
}

// withoutWidest drops the widest column that is not flexible; not ok if only the first is left.
func (t table) withoutWidest(widths []int) (table, bool) {
	widest := 0
	for i := 1; i < len(widths); i++ {
		if !t.columns[i].flexible && (widest == 0 || widths[i] > widths[widest]) {
			widest = i
		}
	}
	if widest == 0 {
		return t, false
	}
	return t.without(widest), true
}

// fit narrows the widest flexible column until the table fits, or all have their minimum width.
func (t *terminal) fit(columns []column, widths []int, narrowest int) {
	total := 0
	for _, w := range widths {
		total += w + tableGap
	}
	for over := total - t.width; t.width > 0 && over > 0; over-- {
		widest := -1
		for i, c := range columns {
			wider := widest < 0 || widths[i] > widths[widest]
			if c.flexible && widths[i] > narrowest && wider {
				widest = i
			}
		}
		if widest < 0 {
			return
		}
		widths[widest]--
	}
}

func (t *terminal) row(columns []column, widths []int, row []span) {
	last := len(row) - 1
	for last > 0 && row[last].text == "" {
		last--
	}
	for i, s := range row[:last+1] {
		shown := s.text
		if columns[i].flexible {
			shown = s.fit(widths[i])
		}
		fill := max(0, widths[i]-cells(shown))
		t.indent(tableGap)
		if columns[i].right {
			t.indent(fill)
		}
		t.put(shown, s.style)
		if !columns[i].right && i < last {
			t.indent(fill)
		}
	}
	t.end()
}
