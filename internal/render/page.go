package render

import (
	"fmt"
	"path/filepath"
	"slices"

	"github.com/jstall/jstall/analysis"
	"github.com/jstall/jstall/analysis/finding"
)

// page is the layout of one report: its options, and the document so far.
type page struct {
	document
	report  *analysis.Report
	options Options
	index   threadIndex
	// lastState is the state that the page showed last.
	lastState analysis.VerdictState
	// rootByFinding is the finding at the end of the explanations of each one, behindRoot are those that each root
	// explains.
	rootByFinding map[*finding.Finding]*finding.Finding
	behindRoot    map[*finding.Finding][]*finding.Finding
	// fileOf is the file with a name, empty if several have it; nil until it is first needed.
	fileOf map[string]string
}

func newPage(r *analysis.Report, o Options) *page {
	roots := rootsOf(r.Findings)
	return &page{report: r, options: o, index: indexThreads(r.Threads), rootByFinding: roots,
		behindRoot: explainedBy(r.Findings, roots)}
}

// threadKey identifies a thread within a report: Java threads by their id, those of the JVM by their other properties.
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

// find returns the thread that a finding refers to, nil if the report does not have it. It returns no thread if the
// finding saw it in an earlier dump or in the events of a flight recording, as the last dump shows another place.
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

// owner finds the thread that holds what a thread waits for, nil if unknown.
func (p *page) owner(t *analysis.ThreadReport) *analysis.ThreadReport {
	if t.WaitsFor == nil || t.WaitsFor.Owner == nil {
		return nil
	}
	return p.index.find(*t.WaitsFor.Owner)
}

// top is how many rows a table has.
func (p *page) top(byDefault int) int {
	switch {
	case p.options.Top > 0:
		return p.options.Top
	case p.options.Full:
		return max(1, len(p.report.Threads))
	}
	return byDefault
}

// item is a labelled line of a finding.
func (p *page) item(label string, text ...span) {
	p.blocks = append(p.blocks, line{label: label, text: text, item: true})
}

// itemCut is an item that never takes a second line.
func (p *page) itemCut(label string, text ...span) {
	p.blocks = append(p.blocks, line{label: label, text: text, item: true, cut: true})
}

func (p *page) itemCode(lines []string) {
	if len(lines) > 0 {
		p.blocks = append(p.blocks, code{lines: lines, item: true})
	}
}

// dumpName is a dump's name for the reader: its file, or its number from 1.
func (p *page) dumpName(dump int) string {
	if name := p.fileName(dump); name != "" {
		return name
	}
	return fmt.Sprintf("dump %d", dump+1)
}

// fileName is the file of a dump, without its folder if the name is still unique; empty for a dump that is not from a
// file.
func (p *page) fileName(dump int) string {
	files := p.report.Capture.DumpFiles
	if dump < 0 || dump >= len(files) || files[dump] == "" {
		return ""
	}
	if p.fileOf == nil {
		p.fileOf = map[string]string{}
		for _, file := range files {
			base := filepath.Base(file)
			if first, known := p.fileOf[base]; known && first != file {
				file = ""
			}
			p.fileOf[base] = file
		}
	}
	if base := filepath.Base(files[dump]); p.fileOf[base] != "" {
		return base
	}
	return files[dump]
}
