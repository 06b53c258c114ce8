package render

import (
	"bufio"
	"io"
	"strings"
)

// markdown writes a document as CommonMark with tables.
type markdown struct {
	out *bufio.Writer
	// list reports that the last block was a line, written as an item of a list.
	list bool
}

// writeMarkdownWithin writes at most that many tokens, 0 for no limit.
func writeMarkdownWithin(w io.Writer, d *document, tokens int) error {
	if tokens > 0 {
		d = d.within(tokens)
	}
	return writeMarkdown(w, d)
}

func writeMarkdown(w io.Writer, d *document) error {
	m := &markdown{out: bufio.NewWriter(w)}
	for i, b := range d.blocks {
		if i > 0 && (!m.list || !isLine(b)) {
			m.write("\n")
		}
		if s, ok := b.(section); ok && i+1 < len(d.blocks) && isUnder(d.blocks[i+1]) {
			m.section(s, "- ")
			m.list = true
			continue
		}
		m.block(b)
		m.list = isLine(b)
	}
	return m.out.Flush()
}

// write writes text. A failure stays with the buffer and is the error of Flush.
func (m *markdown) write(text string) { _, _ = m.out.WriteString(text) }

func isLine(b block) bool {
	_, ok := b.(line)
	return ok
}

// isUnder recognises a line that belongs to the text of the section above it.
func isUnder(b block) bool {
	l, ok := b.(line)
	return ok && l.under
}

// section writes a section; its text becomes an item of a list where more of its
// lines follow.
func (m *markdown) section(s section, mark string) {
	m.write("## " + markdownEscape(s.title) + "\n\n" + mark + inline(s.text) + "\n")
}

func (m *markdown) block(b block) {
	switch b := b.(type) {
	case heading:
		m.write(strings.Repeat("#", b.level) + " " + inline(b.text) + "\n")
	case section:
		m.section(b, "")
	case line:
		m.write("- ")
		if b.label != "" {
			m.write("**" + markdownEscape(b.label) + "** ")
		}
		m.write(inline(b.text) + "\n")
	case code:
		m.code(b)
	case table:
		m.table(b)
	case tree:
		m.fence("", "text", treeLines(b))
	case source:
		m.fence("", b.language, b.lines)
	}
}

// treeLines returns a tree as text. Markdown does not interpret its branches.
func treeLines(t tree) []string {
	lines := make([]string, len(t.rows))
	for i, r := range t.rows {
		lines[i] = r.branch
		for _, s := range r.text {
			lines[i] += s.text
		}
	}
	return lines
}

// code writes a fenced block, indented so that it belongs to the list item above it. The fence is longer than any run
// of backticks inside.
func (m *markdown) code(c code) {
	indent := ""
	if m.list {
		indent = "  "
	}
	m.fence(indent, "", c.lines)
}

// fence writes lines unchanged between two fences.
func (m *markdown) fence(indent, language string, lines []string) {
	fence := strings.Repeat("`", max(3, 1+longestRun(strings.Join(lines, "\n"))))
	m.write(indent + fence + language + "\n")
	for _, s := range lines {
		m.write(indent + escape(s) + "\n")
	}
	m.write(indent + fence + "\n")
}

func (m *markdown) table(t table) {
	var titles, rules []string
	for _, c := range t.columns {
		titles = append(titles, markdownEscape(c.title))
		if c.right {
			rules = append(rules, "---:")
		} else {
			rules = append(rules, "---")
		}
	}
	m.row(titles)
	m.row(rules)
	for _, row := range t.rows {
		shown := make([]string, len(row))
		for i, s := range row {
			shown[i] = inlineCell(s)
		}
		m.row(shown)
	}
}

func (m *markdown) row(cells []string) {
	m.write("| " + strings.Join(cells, " | ") + " |\n")
}

// inline writes spans within a paragraph.
func inline(text []span) string {
	var b strings.Builder
	for _, s := range text {
		b.WriteString(inlineSpan(s))
	}
	return b.String()
}

func inlineSpan(s span) string {
	core := strings.TrimSpace(s.text)
	if core == "" {
		return s.text
	}
	before, after, _ := strings.Cut(s.text, core)
	switch s.style {
	case styleCode:
		core = codeSpan(escape(core))
	case styleStrong, styleAlarm, styleCaution, styleNotice, styleCalm:
		core = "**" + markdownEscape(core) + "**"
	default:
		core = markdownEscape(core)
	}
	return blanks(before) + core + blanks(after)
}

// blanks replaces white space by blanks of the same width.
func blanks(s string) string { return strings.Repeat(" ", len(s)) }

// inlineCell is inlineSpan for a cell of a table, where a bar ends the cell even inside code.
func inlineCell(s span) string {
	if s.style == styleCode {
		return strings.ReplaceAll(inlineSpan(s), "|", `\|`)
	}
	return inlineSpan(s)
}

// codeSpan delimits s by more backticks than s has in a row.
func codeSpan(s string) string {
	fence := strings.Repeat("`", 1+longestRun(s))
	if strings.HasPrefix(s, "`") || strings.HasSuffix(s, "`") {
		s = " " + s + " "
	}
	return fence + s + fence
}

func longestRun(s string) int {
	longest, run := 0, 0
	for _, r := range s {
		if r != '`' {
			run = 0
			continue
		}
		run++
		longest = max(longest, run)
	}
	return longest
}

// markdownEscape makes text literal: it puts a backslash before all characters that are markup for Markdown, HTML or
// formulas.
func markdownEscape(s string) string {
	var b strings.Builder
	for _, r := range escape(s) {
		if strings.ContainsRune("\\`*_{}[]<>|~$&#", r) {
			b.WriteByte('\\')
		}
		b.WriteRune(r)
	}
	return b.String()
}
