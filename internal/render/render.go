// Package render turns an analysis.Report into what people and programs read:
// terminal text, Markdown, JSON and the JSON Schema. It takes everything from the
// report and nothing from elsewhere: no socket, no clock, no file.
//
// Text and Markdown are one document (document.go) written in two ways
// (terminal.go, markdown.go), so they cannot say different things. Whatever a JVM
// gave us (names, frames, error texts) is hostile input; it is made harmless
// where it is written, in escape.go, and so cannot be forgotten by a view.
package render

import (
	"fmt"
	"io"
	"slices"

	"github.com/jstall/jstall/analysis"
	"github.com/jstall/jstall/analysis/finding"
)

// View says which part of a report Text and Markdown show.
type View string

// The views, named like the commands that print them.
const (
	Status   View = "status"
	Deadlock View = "deadlock"
	MostWork View = "most-work"
	Threads  View = "threads"

	WaitingThreads  View = "waiting-threads"
	DependencyTree  View = "dependency-tree"
	DependencyGraph View = "dependency-graph"
)

// Options shape Text, Markdown and List; JSON is never shaped. The zero value is
// plain text of unlimited width for one target.
type Options struct {
	// Color writes ANSI colours. It is the only source of escape sequences.
	Color bool
	// Width is the number of terminal columns; 0 means no limit (a pipe).
	Width int
	// Top is the number of rows in tables of threads; 0 is the view's default.
	Top int
	// Thread chooses the threads in tables by name and native id; nil shows all.
	// Findings are never hidden by it.
	Thread func(name string, nativeID int64) bool
	// ThreadText is what Thread was made from, to be quoted where no thread fits.
	ThreadText string
	// StackDepth is the number of frames per stack; 0 is the view's default.
	StackDepth int
	// IntelligentFilter drops frames of the JDK and of known frameworks from stacks.
	IntelligentFilter bool
	// NoNative hides threads whose top frame is native from tables.
	NoNative bool
	// Full lifts the limits that keep a report to one screen.
	Full bool
	// MaxTokens bounds Markdown: what is least important is left out of what would be
	// longer, at four characters a token. 0 is no bound.
	MaxTokens int
	// MultiTarget puts a line that names the target before each report.
	MultiTarget bool
}

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
	views := map[View]func(*page){
		Status:   (*page).status,
		Deadlock: (*page).deadlock,
		MostWork: (*page).mostWork,
		Threads:  (*page).threads,

		WaitingThreads:  (*page).waitingThreadsView,
		DependencyTree:  (*page).dependencyTree,
		DependencyGraph: (*page).dependencyGraph,
	}
	lay, ok := views[v]
	if !ok {
		return nil, fmt.Errorf("no view %q", v)
	}
	p := newPage(r, o)
	switch {
	case v == DependencyGraph:
	case r.Capture.Source == "procfs":
		lay = func(p *page) { p.silent(v) }
	case p.choosesNone() && v != Deadlock:
		lay = func(p *page) { p.withoutThreads(v) }
	}
	lay(p)
	if o.MultiTarget && len(p.blocks) > 1 {
		p.blocks = append(p.blocks, gap{})
	}
	return &p.document, nil
}

// page is the layout of one report: what is shown, how, and the document so far.
type page struct {
	document
	report  *analysis.Report
	options Options
	index   threadIndex
	// told is the state that the page named last.
	told analysis.VerdictState
	// rootByFinding are the findings at the ends of explanations, behindRoot those that are explained by each of them.
	rootByFinding map[*finding.Finding]*finding.Finding
	behindRoot    map[*finding.Finding][]*finding.Finding
	// fileOf is the file with a name, empty where several have it; nil until it is first needed.
	fileOf map[string]string
}

func newPage(r *analysis.Report, o Options) *page {
	roots := rootsOf(r.Findings)
	return &page{report: r, options: o, index: indexThreads(r.Threads), rootByFinding: roots,
		behindRoot: explainedBy(r.Findings, roots)}
}

// threadKey identifies a thread within a report: Java threads by their id, those
// of the JVM by what else there is.
type threadKey struct {
	name         string
	id, nativeID int64
}

type threadIndex map[threadKey]*analysis.ThreadReport

// indexThreads finds threads by name and id, with and without the native id,
// as a reference may lack it.
func indexThreads(threads []analysis.ThreadReport) threadIndex {
	index := make(threadIndex, 2*len(threads))
	for i := range slices.Backward(threads) {
		t := &threads[i]
		index[threadKey{t.Name, t.ID, t.NativeID}] = t
		index[threadKey{t.Name, t.ID, 0}] = t
	}
	return index
}

// find returns the thread that a finding refers to, nil if the report lacks it. What the last dump shows of a thread is
// not where the events of a flight recording had it, nor where an earlier dump did.
func (x threadIndex) find(ref finding.ThreadRef) *analysis.ThreadReport {
	if ref.Recorded {
		return nil
	}
	t := x[threadKey{ref.Name, ref.ID, ref.NativeID}]
	if t == nil {
		t = x[threadKey{ref.Name, ref.ID, 0}]
	}
	if t == nil || ref.Dump == nil {
		return t
	}
	then := *t
	then.State, then.Frame, then.Stack = ref.State, ref.Frame, ref.Stack
	then.Idle, then.WaitsFor, then.Locks = "", nil, nil
	return &then
}
