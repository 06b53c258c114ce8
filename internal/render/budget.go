package render

import (
	"bufio"
	"fmt"
	"slices"
	"sort"
	"strings"
	"unicode/utf8"
)

const (
	// tokenChars is how many characters of text are taken for one token of a model.
	tokenChars = 4
	// leftOutChars is reserved for the line that says what was left out.
	leftOutChars = 150
)

// budget drops the least important parts of a document until its Markdown fits.
type budget struct {
	document
	sizes []int // of each block as Markdown, 0 for dropped ones
	size  int   // of all
	most  int   // characters
	left  leftOut
}

// leftOut counts the dropped parts of a document.
type leftOut struct{ rows, sections, findings, frames int }

// within shortens the document to about that many tokens. It drops rows of tables first, then sections, further
// findings and frames, each from the end. The verdict and the first finding always stay; a last line lists what was
// dropped.
func (d *document) within(tokens int) *document {
	b := &budget{document: document{blocks: slices.Clone(d.blocks)}, most: tokens * tokenChars}
	for _, block := range b.blocks {
		n := markdownSize(block)
		b.sizes = append(b.sizes, n)
		b.size += n
	}
	if b.size <= b.most {
		return d
	}
	b.most -= leftOutChars
	b.cut()
	return b.result(tokens)
}

// part is a range of blocks: a section or a finding.
type part struct {
	from, to int
	finding  bool
}

func (b *budget) cut() {
	var findings, others []part
	for _, p := range b.parts() {
		if p.finding {
			findings = append(findings, p)
		} else {
			others = append(others, p)
		}
	}
	for _, p := range slices.Backward(others) {
		b.left.rows += b.shorten(p)
	}
	for _, p := range slices.Backward(others) {
		b.left.sections += b.drop(p)
	}
	for i, p := range slices.Backward(findings) {
		if i > 0 {
			b.left.findings += b.drop(p)
		} else {
			b.left.frames += b.shorten(p)
		}
	}
}

// parts splits the document at its headings. The blocks before the first heading are in no part.
func (b *budget) parts() []part {
	var parts []part
	for i, block := range b.blocks {
		h, isHeading := block.(heading)
		_, isSection := block.(section)
		if isSection || isHeading && h.level == 3 {
			parts = append(parts, part{from: i, finding: isHeading && b.isItem(i+1)})
		}
		if len(parts) > 0 {
			parts[len(parts)-1].to = i + 1
		}
	}
	return parts
}

func (b *budget) isItem(i int) bool {
	if i >= len(b.blocks) {
		return false
	}
	l, ok := b.blocks[i].(line)
	return ok && l.item
}

// shorten drops rows from the ends of a part's tables, trees and stacks, as few as possible, and counts them.
func (b *budget) shorten(p part) int {
	taken := 0
	for i := p.to - 1; i >= p.from && b.size > b.most; i-- {
		block, rows := b.blocks[i], rowsOf(b.blocks[i])
		if rows == 0 {
			continue
		}
		without := sort.Search(rows, func(n int) bool {
			return b.size-b.sizes[i]+markdownSize(firstRows(block, rows-n)) <= b.most
		})
		b.replace(i, firstRows(block, rows-without))
		taken += without
	}
	return taken
}

// drop drops a whole part if necessary, and counts it.
func (b *budget) drop(p part) int {
	if b.size <= b.most {
		return 0
	}
	for i := p.from; i < p.to; i++ {
		b.replace(i, nil)
	}
	return 1
}

// replace replaces a block by another one, or by nil.
func (b *budget) replace(i int, by block) {
	b.size -= b.sizes[i]
	b.blocks[i], b.sizes[i] = by, markdownSize(by)
	b.size += b.sizes[i]
}

// rowsOf is how many rows a block could be shortened by. A block whose meaning changes without its end counts as one
// row.
func rowsOf(b block) int {
	switch b := b.(type) {
	case table:
		return len(b.rows)
	case tree:
		return len(b.rows)
	case code:
		return len(b.lines)
	case source:
		return 1
	}
	return 0
}

// firstRows is a block with its first n rows, nil without any.
func firstRows(b block, n int) block {
	if n == 0 {
		return nil
	}
	switch b := b.(type) {
	case table:
		b.rows = b.rows[:n]
		return b
	case tree:
		b.rows = b.rows[:n]
		return b
	case code:
		b.lines = b.lines[:n]
		return b
	}
	return b
}

// markdownSize is the number of characters of a block, including the blank line before it.
func markdownSize(b block) int {
	if b == nil {
		return 0
	}
	var n runeCounter
	c, isCode := b.(code)
	m := &markdown{out: bufio.NewWriter(&n), list: isCode && c.item}
	m.block(b)
	if m.out.Flush() != nil {
		return 0
	}
	return int(n) + 1
}

type runeCounter int

func (c *runeCounter) Write(p []byte) (int, error) {
	*c += runeCounter(utf8.RuneCount(p))
	return len(p), nil
}

// result is the shortened document, with the line that says what was dropped.
func (b *budget) result(tokens int) *document {
	b.blocks = slices.DeleteFunc(b.blocks, func(x block) bool { return x == nil })
	text := fmt.Sprintf("Left out to stay within %s: %s.", counted(tokens, "token"), b.left)
	if b.size > b.most {
		text += " This still takes more."
	}
	b.line("", plain(text))
	return &b.document
}

func (l leftOut) String() string {
	var parts []string
	add := func(n int, what string) {
		if n > 0 {
			parts = append(parts, counted(n, what))
		}
	}
	add(l.rows, "row")
	add(l.sections, "section")
	add(l.findings, "further finding")
	add(l.frames, "frame")
	if len(parts) == 0 {
		return "nothing"
	}
	return strings.Join(parts, ", ")
}
