package render

import (
	"strings"

	"github.com/jstall/jstall/analysis"
	"github.com/jstall/jstall/analysis/finding"
)

// The text formats of reports, for screens without a document. The caller escapes text before it measures or cuts it.

// Cells is the number of terminal columns that escaped text takes.
func Cells(s string) int { return cells(s) }

// Shorten cuts the middle out of escaped text so that it takes at most limit columns. A limit below 1 is no limit.
func Shorten(s string, limit int) string { return shorten(s, limit) }

// ShortenFrame is Shorten for text that names classes: it cuts their packages first.
func ShortenFrame(s string, limit int) string { return shortenFrame(s, limit) }

// ThreadName is the escaped name of a row's thread without quotes: "main", "virtual #31", "498 × order-*".
func ThreadName(t *analysis.ThreadReport) string {
	name, ref := escape(t.Name), refOf(t)
	if t.Virtual() && isUnnamed(ref) {
		name = called(ref)
	}
	switch {
	case t.Size() == 1:
		return name
	case isUnnamed(ref):
		name += "…"
	case t.NamePattern != "":
		name = escape(starred(t.NamePattern))
	default:
		return count(t.Size()) + " like " + name
	}
	return count(t.Size()) + " × " + name
}

// ThreadNames is ThreadName for the threads of several rows: the common part of their names.
func ThreadNames(threads []*analysis.ThreadReport) string {
	text := names(threads)
	first, last := strings.IndexByte(text, '"'), strings.LastIndexByte(text, '"')
	if first < 0 {
		return text
	}
	return text[:first] + text[first+1:last] + text[last+1:]
}

// ThreadCalled is the escaped name, in quotes, of a thread that another one waits for; "virtual #31" without a name.
func ThreadCalled(ref finding.ThreadRef) string { return called(ref) }

// Pad fills escaped text with blanks up to width columns.
func Pad(s string, width int) string { return pad(s, width) }

// Duration writes seconds: 45 ms, 1.23 s, 3 m 12 s.
func Duration(seconds float64) string { return duration(seconds) }

// ByteSize writes a size in units of 1024: 512 B, 3.4 MB.
func ByteSize(n float64) string { return byteSize(n) }

// Percent writes a share of one core, or "-" if unknown: 99.8, <0.1.
func Percent(p *float64) string { return optPercent(p) }
