package render

import (
	"fmt"
	"strings"

	"github.com/jstall/jstall/analysis"
	"github.com/jstall/jstall/analysis/stack"
)

// layDependencyGraph is the view of who waits for whom as a Graphviz graph: a node for each thread, or for all threads
// at one place, and an edge from each waiter to the owner.
func layDependencyGraph(p *page) {
	g := &dot{page: p, ids: map[string]bool{}}
	roots := dependencies(p)
	g.comment(strings.ToUpper(string(p.report.Verdict.State)) + ": " + p.report.Verdict.Summary)
	g.comment(p.target())
	if p.report.Capture.Dumps == 0 {
		g.comment("who waits for whom is unknown: no dump could be taken")
	} else if p.choosesNone() {
		g.comment(p.fitsNone())
	} else {
		g.comment(dependencySummary(p, roots))
	}
	g.add(`digraph waits {`)
	g.add(`  rankdir=LR; node [shape=box, style=rounded, fontname="sans-serif"]; edge [fontname="sans-serif"];`)
	for _, root := range roots {
		g.root(root)
	}
	g.add(`}`)
	p.blocks = append(p.blocks, source{"dot", g.lines})
}

// dot is a graph being written.
type dot struct {
	*page
	lines []string
	ids   map[string]bool
	// first is the node of the current root, to which a cycle leads back.
	first string
}

func (g *dot) add(line string) { g.lines = append(g.lines, line) }

// comment writes a comment line. escape removes line breaks from it.
func (g *dot) comment(text string) {
	if text != "" {
		g.add("// " + escape(text))
	}
}

func (g *dot) root(l *link) {
	attributes := "style=\"rounded,bold\""
	switch {
	case l.cycle > 0:
		attributes += ", color=red"
	case len(l.threads) == 0:
		attributes = "style=\"rounded,dashed\""
	}
	if len(l.threads) == 0 {
		g.first = g.node(l, []string{"unknown owner", stack.WaitWords(l.lock.Type), object(l.lock)}, attributes)
	} else {
		t := l.threads[0]
		g.first = g.node(l, []string{names(l.threads), t.State, place(t), busyWith(t)}, attributes)
	}
	g.behind(l, g.first)
}

// busyWith says what a thread waits for that has no owner, such as input.
func busyWith(t *analysis.ThreadReport) string {
	if t.WaitsFor == nil || t.WaitsFor.Owner != nil {
		return ""
	}
	return "waits for " + stack.WaitWords(t.WaitsFor.Type)
}

// behind adds the links that wait for a node.
func (g *dot) behind(l *link, node string) {
	for _, b := range l.behind {
		from := g.first
		if !b.closes {
			t := b.threads[0]
			from = g.node(b, []string{names(b.threads), t.State, place(t)}, "")
		}
		weight := ""
		if n := sizeOf(b.threads); n > 1 {
			weight = fmt.Sprintf(", penwidth=%d", min(n, 4))
		}
		g.add(fmt.Sprintf("  %s -> %s [label=%s%s];", from, node,
			dotLabel([]string{stack.WaitWords(b.lock.Type), object(b.lock)}), weight))
		g.behind(b, from)
	}
}

// node adds a node and returns its name.
func (g *dot) node(l *link, label []string, attributes string) string {
	id := g.id(l)
	if attributes != "" {
		attributes = ", " + attributes
	}
	g.add(fmt.Sprintf("  %s [label=%s%s];", id, dotLabel(label), attributes))
	return id
}

// id names a node after its first thread, so that its name is the same in the next capture: t23 by the Java id, n3311
// by the kernel's.
func (g *dot) id(l *link) string {
	id := "lock"
	if len(l.threads) > 0 {
		t := l.threads[0]
		id = fmt.Sprintf("n%d", t.NativeID)
		if t.ID != 0 {
			id = fmt.Sprintf("t%d", t.ID)
		}
	}
	for n, base := 2, id; g.ids[id]; n++ {
		id = fmt.Sprintf("%s_%d", base, n)
	}
	g.ids[id] = true
	return id
}

// dotLabel writes lines as a quoted string of DOT. In such a string a backslash begins an escape, an ampersand begins a
// character reference, and a quote ends it.
func dotLabel(lines []string) string {
	var kept []string
	replacer := strings.NewReplacer(`\`, `\\`, `"`, `\"`, "&", "&amp;")
	for _, l := range lines {
		if l != "" {
			kept = append(kept, replacer.Replace(shortenFrame(escape(l), labelLength)))
		}
	}
	return `"` + strings.Join(kept, `\n`) + `"`
}

// labelLength is the maximum length of a line of a label.
const labelLength = 80
