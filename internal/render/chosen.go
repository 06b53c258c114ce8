package render

import (
	"slices"
	"strconv"

	"github.com/jstall/jstall/analysis"
)

// chosen applies --thread and --no-native.
func (p *page) chosen(t *analysis.ThreadReport) bool {
	if p.options.NoNative && len(t.Stack) > 0 && isNative(t.Stack[0]) {
		return false
	}
	return p.options.Thread == nil || p.options.Thread(t.Label(), t.NativeID)
}

// choosesNone reports whether --thread matches no thread of the report.
func (p *page) choosesNone() bool {
	all := p.report.Threads
	return p.options.Thread != nil && len(all) > 0 &&
		!slices.ContainsFunc(all, func(t analysis.ThreadReport) bool { return p.chosen(&t) })
}

// fitsNone is the sentence that no thread matches --thread.
func (p *page) fitsNone() string {
	text := "No thread matches --thread"
	if p.options.ThreadText != "" {
		text += " " + strconv.Quote(p.options.ThreadText)
	}
	if p.options.NoNative {
		text += " with --no-native"
	}
	if slices.ContainsFunc(p.report.Threads, func(t analysis.ThreadReport) bool { return t.Size() > 1 }) {
		text += "; of virtual threads that share a row only the oldest can be chosen"
	}
	return text
}

// noThread is the beginning of a sentence about the chosen threads.
func (p *page) noThread() string {
	if p.options.Thread != nil {
		return "No thread that matches --thread"
	}
	return "No thread"
}
