package top

import (
	"strings"

	"github.com/fatih/color"

	"github.com/jstall/jstall/analysis"
	"github.com/jstall/jstall/analysis/finding"
	"github.com/jstall/jstall/internal/render"
)

// style is the meaning of text that may be coloured.
type style int

const (
	plain style = iota
	strong
	faint
	alarm
	caution
	notice
	calm
	chosen // the selected row
)

// painter draws text in styles. The zero value has no colours and leaves text unchanged.
type painter struct {
	begin, end [chosen + 1]string
}

func newPainter(colored bool) painter {
	var p painter
	if !colored {
		return p
	}
	for s, attributes := range [...][]color.Attribute{
		strong: {color.Bold}, faint: {color.Faint}, alarm: {color.Bold, color.FgRed},
		caution: {color.Bold, color.FgYellow}, notice: {color.Bold, color.FgCyan}, calm: {color.Bold, color.FgGreen},
		chosen: {color.ReverseVideo},
	} {
		if len(attributes) > 0 {
			c := color.New(attributes...)
			c.EnableColor()
			p.begin[s], p.end[s], _ = strings.Cut(c.Sprint("|"), "|")
		}
	}
	return p
}

func (p *painter) put(text string, s style) string {
	if text == "" {
		return text
	}
	return p.begin[s] + text + p.end[s]
}

// segment is escaped text in one style.
type segment struct {
	text  string
	style style
}

// mostBytes bounds how much of one text of the target is processed, as it may have megabytes.
const mostBytes = 2000

// escape makes text of the target harmless for the terminal.
func escape(s string) string { return render.Escape(atMost(s)) }

// atMost returns a text of the target, cut to mostBytes.
func atMost(s string) string {
	if len(s) > mostBytes {
		s = strings.ToValidUTF8(s[:mostBytes], "") + "…"
	}
	return s
}

// cutEnd returns the beginning of escaped text in at most limit columns, with … if some is cut.
func cutEnd(s string, limit int) string {
	switch {
	case limit < 1:
		return ""
	case render.Cells(s) <= limit:
		return s
	}
	used := 0
	for i, r := range s {
		used += render.Cells(string(r))
		if used > limit-1 {
			return s[:i] + "…"
		}
	}
	return s
}

// wrap breaks escaped text between words into at most limit lines, and cuts the rest.
func wrap(s string, width, limit int) []string {
	var lines []string
	line := ""
	words := strings.Fields(s)
	for i, word := range words {
		switch {
		case line == "":
			line = word
		case render.Cells(line)+1+render.Cells(word) <= width:
			line += " " + word
		case len(lines) == limit-1:
			return append(lines, cutEnd(line+" "+strings.Join(words[i:], " "), width))
		default:
			lines, line = append(lines, cutEnd(line, width)), word
		}
	}
	return append(lines, cutEnd(line, width))
}

// stateStyle is the style of a verdict.
func stateStyle(s analysis.VerdictState) style {
	switch s {
	case analysis.Deadlocked, analysis.Stalled, analysis.Unresponsive:
		return alarm
	case analysis.Degraded:
		return caution
	case analysis.Suspicious:
		return notice
	case analysis.Ok:
		return calm
	}
	return strong
}

func severityStyle(s finding.Severity) style {
	switch s {
	case finding.Critical:
		return alarm
	case finding.Warning:
		return caution
	}
	return notice
}
