// Package render turns an analysis.Report into the output for people and programs: terminal text, Markdown, JSON and
// the JSON Schema. Its only input is the report: it uses no socket, no clock and no file.
//
// Text and Markdown are one document (document.go) written in two ways (terminal.go, markdown.go), so they cannot
// contradict each other. All text from a JVM (names, frames, error texts) is hostile input. The writers escape it
// (escape.go), so that a view cannot forget to.
package render

import (
	"fmt"
	"io"

	"github.com/jstall/jstall/analysis"
)

// Text writes one view of a report for a terminal. The only errors are those of w,
// and a view that does not exist.
func Text(w io.Writer, v View, r *analysis.Report, o Options) error {
	d, err := build(v, r, o)
	if err != nil {
		return err
	}
	return writeText(w, d, o)
}

// Markdown writes the content of Text as Markdown (CommonMark with tables).
func Markdown(w io.Writer, v View, r *analysis.Report, o Options) error {
	d, err := build(v, r, o)
	if err != nil {
		return err
	}
	return writeMarkdownWithin(w, d, o.MaxTokens)
}

// build lays out one view of a report.
func build(v View, r *analysis.Report, o Options) (*document, error) {
	p := newPage(r, o)
	lay, ok := views()[v]
	switch {
	case !ok:
		return nil, fmt.Errorf("no view %q", v)
	case v == DependencyGraph:
	case r.Capture.Source == "procfs":
		lay = func(p *page) { layUnanswered(p, v) }
	case p.choosesNone() && v != Deadlock:
		lay = func(p *page) { layWithoutThreads(p, v) }
	}
	lay(p)
	if o.MultiTarget && len(p.blocks) > 1 {
		p.blocks = append(p.blocks, gap{})
	}
	return &p.document, nil
}

// views maps each view to its layout.
func views() map[View]func(*page) {
	return map[View]func(*page){
		Status:   layStatus,
		Deadlock: layDeadlock,
		MostWork: layMostWork,
		Threads:  layThreads,

		WaitingThreads:  layWaitingThreads,
		DependencyTree:  layDependencyTree,
		DependencyGraph: layDependencyGraph,
	}
}
