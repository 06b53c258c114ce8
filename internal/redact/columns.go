package redact

import (
	"bytes"
	"slices"
	"strings"
)

// columns are the columns of a table whose head names secrets: the values are in the rows below.
type columns struct {
	// separator is between the cells: a bar, a tab, a comma, or a blank for two blanks and more.
	separator byte
	cells     int
	// secret has a bit for each column with secrets.
	secret uint64
	// sure reports that the line before was a head without doubt; otherwise only a line of dashes shows it.
	sure bool
}

// mostColumns bounds how many columns are searched.
const mostColumns = 64

// separators are tried in this order.
const separators = "|\t, "

// columnsOf recognises the head of a table, if the name at a place in a line has a separate cell.
func columnsOf(line []byte, begin, end int) (columns, bool) {
	if len(line) > nearby {
		return columns{}, false
	}
	for _, separator := range []byte(separators) {
		cells := cellsOf(line, separator)
		index := slices.IndexFunc(cells, func(c cell) bool {
			return c.from <= begin && end <= c.to && isColumnName(line[c.from:c.to])
		})
		if index < 0 || index >= mostColumns {
			continue
		}
		c := columns{separator: separator, cells: len(cells), secret: 1 << index}
		if c.isHead(line, cells, index) {
			return c, true
		}
	}
	return columns{}, false
}

// isHead reports whether a line may be the head of a table, and sets whether it certainly is one.
func (c *columns) isHead(line []byte, cells []cell, index int) bool {
	if c.separator == '|' && c.cells > 1 {
		c.sure = index > slices.IndexFunc(cells, func(c cell) bool { return c.from < c.to })
		return true
	}
	for _, cell := range cells {
		if !isColumnName(line[cell.from:cell.to]) {
			return false
		}
	}
	if c.separator == ' ' {
		c.sure = c.cells > 2 || c.cells == 2 && bytes.Equal(line, bytes.ToUpper(line))
		return true
	}
	c.sure = true
	return c.cells > 1
}

// isColumnName recognises the name of a column: words, no numbers or values.
func isColumnName(cell []byte) bool {
	for _, c := range cell {
		if !isWordByte(c) && strings.IndexByte(" .-#$()", c) < 0 {
			return false
		}
	}
	const longest = 40
	return 0 < len(cell) && len(cell) <= longest && isWordByte(cell[0]) && (cell[0] < '0' || cell[0] > '9')
}

// cell is a part of a line.
type cell struct{ from, to int }

// cellsOf are the cells of a line, without blanks and quotes around them.
func cellsOf(line []byte, separator byte) []cell {
	width := 1
	if separator == ' ' {
		width = 2
	}
	between := bytes.Repeat([]byte{separator}, width)
	var cells []cell
	for at, end := 0, len(bytes.TrimRight(line, " \r")); ; {
		if separator == ' ' {
			at += indentOf(line[at:end])
		}
		next := bytes.Index(line[at:end], between)
		if next < 0 || len(cells) == mostColumns {
			return append(cells, trimmed(line, at, end))
		}
		cells = append(cells, trimmed(line, at, at+next))
		at += next + width
	}
}

// trimmed is a part of a line without blanks and quotes around it.
func trimmed(line []byte, from, to int) cell {
	for from < to && (line[from] == ' ' || line[from] == '\t') {
		from++
	}
	for from < to && (line[to-1] == ' ' || line[to-1] == '\t' || line[to-1] == '\r') {
		to--
	}
	if to > from+1 && isQuote(line[from]) && line[to-1] == line[from] {
		from, to = from+1, to-1
	}
	return cell{from, to}
}

// row returns the values of secrets in a row of the table. It returns false after the table.
func (c *columns) row(line []byte) ([]cell, bool) {
	if isRule(line) {
		c.sure = true
		return nil, true
	}
	cells := cellsOf(line, c.separator)
	if !c.sure || len(cells) != c.cells || len(bytes.TrimSpace(line)) == 0 || isFrame(line) {
		return nil, false
	}
	var secrets []cell
	for i, cell := range cells {
		if c.secret>>i&1 != 0 && cell.from < cell.to && !isFigure(line[cell.from:cell.to]) {
			secrets = append(secrets, cell)
		}
	}
	return secrets, true
}

// isRule recognises the line below the head of a table: |---|:--:|, +---+, ===.
func isRule(line []byte) bool {
	dashes := 0
	for _, c := range line {
		switch c {
		case '-', '=':
			dashes++
		case '|', '+', ':', ' ', '\t', '\r':
		default:
			return false
		}
	}
	return dashes > 2
}

// isFigure recognises a number that is too short for a secret.
func isFigure(value []byte) bool {
	const most = 4 // digits
	return len(value) <= most && len(bytes.Trim(value, "0123456789.%")) == 0
}
