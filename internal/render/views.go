package render

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/jstall/jstall/analysis"
)

// Account is one view of what a JVM reports about itself, or of the kernel's facts about its machine. Unknown values
// are nil or empty and absent from the JSON, never zero.
type Account struct {
	// View is the command's name.
	View    string
	Target  analysis.Target
	Capture AccountCapture
	// Facts is nil if no answer could be read.
	Facts Facts
	// Unread are answers that could not be parsed.
	Unread   []Unread
	Warnings []string
	Error    *analysis.Failure
}

// AccountCapture is what was asked, and the cost for the target.
type AccountCapture struct {
	// Source is "attach", "file", "recording" or "procfs".
	Source string `json:"source"`
	// Commands are the diagnostic commands that were answered, each once.
	Commands       []string `json:"commands"`
	ElapsedSeconds *float64 `json:"elapsedSeconds,omitempty"`
	// PauseSeconds is an upper bound of the target's pause for it.
	PauseSeconds *float64 `json:"pauseSeconds,omitempty"`
	PauseFrom    string   `json:"pauseFrom,omitempty"`
}

// Unread is an answer that could not be parsed, unchanged.
type Unread struct {
	Command string `json:"command"`
	Text    string `json:"text"`
}

// Facts are the facts of one view.
type Facts interface {
	lay(d *document, o Options)
}

// AccountJSON writes an account as one document on one line.
func AccountJSON(w io.Writer, a Account, schema int) error {
	a.Capture.Commands = list(a.Capture.Commands)
	return writeJSON(w, struct {
		Schema   int               `json:"schema"`
		View     string            `json:"view"`
		Target   analysis.Target   `json:"target"`
		Capture  AccountCapture    `json:"capture"`
		Facts    Facts             `json:"facts,omitempty"`
		Unread   []Unread          `json:"unread,omitempty"`
		Warnings []string          `json:"warnings"`
		Error    *analysis.Failure `json:"error,omitempty"`
	}{schema, a.View, a.Target, a.Capture, a.Facts, a.Unread, list(a.Warnings), a.Error})
}

// AccountText writes an account for a terminal: the target, the facts, the unparsed answers unchanged, and the cost.
func AccountText(w io.Writer, a Account, o Options) error {
	d := accountDocument(a, o)
	return writeText(w, d, o)
}

// AccountMarkdown writes the content of AccountText as Markdown.
func AccountMarkdown(w io.Writer, a Account, o Options) error {
	return writeMarkdown(w, accountDocument(a, o))
}

func accountDocument(a Account, o Options) *document {
	p := newPage(&analysis.Report{Target: a.Target}, o)
	if target := p.target(); target != "" {
		p.heading(1, plain(target))
	}
	if a.Facts != nil {
		a.Facts.lay(&p.document, o)
	}
	for _, u := range a.Unread {
		p.section("Unread", plain("the answer to "), quoted(u.Command),
			plain(" has an unknown format; printed unchanged:"))
		if strings.TrimSpace(u.Text) == "" {
			p.under(plain("(nothing)"))
			continue
		}
		all := slices.Collect(trimmedLines(u.Text))
		shown := rows(len(all), o, unreadLines)
		p.code(all[:shown])
		p.more(len(all) - shown)
	}
	for i, warning := range a.Warnings {
		if i == 0 {
			p.section("Notes", prose(warning))
			continue
		}
		p.under(prose(warning))
	}
	label := "Overhead"
	if a.Capture.Source == "file" || a.Capture.Source == "recording" {
		label = "Capture"
	}
	p.section(label, plain(accountCost(a.Capture)))
	if o.MultiTarget {
		p.gap()
	}
	return &p.document
}

// unreadLines is how many lines of an unparsed answer are shown.
const unreadLines = 40

func trimmedLines(text string) func(func(string) bool) {
	return func(yield func(string) bool) {
		for line := range strings.Lines(strings.TrimRight(text, "\n")) {
			if !yield(strings.TrimRight(line, "\r\n")) {
				return
			}
		}
	}
}

func accountCost(c AccountCapture) string {
	commands := strings.Join(c.Commands, ", ")
	switch {
	case c.Source == "file" || c.Source == "recording":
		return "from a " + c.Source
	case c.PauseSeconds == nil:
		return "read from /proc and the JVM's files; the JVM was not asked"
	case c.PauseFrom == "requests":
		return fmt.Sprintf("%s; answered within %s", commands, duration(*c.PauseSeconds))
	}
	return fmt.Sprintf("%s; JVM paused at most %s", commands, duration(*c.PauseSeconds))
}

// signedBytes is a change: "+2.0 MB", "-512 B", "0 B".
func signedBytes(n *int64) string {
	switch {
	case n == nil:
		return unknown
	case *n < 0:
		return "-" + byteSize(float64(-*n))
	case *n == 0:
		return "0 B"
	}
	return "+" + byteSize(float64(*n))
}

// signedCount is a change of a count.
func signedCount(n *int64) string {
	if n == nil {
		return unknown
	}
	if *n > 0 {
		return "+" + count(int(*n))
	}
	return count(int(*n))
}

// rows is how many rows of n a table shows, and whether some are left out.
func rows(n int, o Options, usual int) int {
	switch {
	case o.Full:
		return n
	case o.Top > 0:
		usual = o.Top
	}
	return min(n, usual)
}

// more is the line about rows that are left out.
func (d *document) more(left int) {
	if left > 0 {
		d.line("", faint(fmt.Sprintf("  and %s more (--top, --full)", count(left))))
	}
}
