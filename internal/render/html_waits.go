package render

import (
	"bufio"
	"fmt"
	"io"

	"github.com/jstall/jstall/analysis"
)

// The limits of a drawing of who waits for whom.
const (
	drawnRoots  = 50
	drawnBehind = 50  // links directly behind one link
	drawnDepth  = 100 // links in a row
	drawnLinks  = 10  // threads of one link that are linked to the dump
)

// WaitGraph writes who waits for whom as nested lists. Owners are above their waiters, and the threads of cycles are
// marked. It writes nothing if no thread waits for what another thread holds.
// another thread holds.
func WaitGraph(w io.Writer, r *analysis.Report, l Links) error {
	p := newPage(r, Options{Full: true})
	roots := dependencies(p)
	if len(roots) == 0 {
		return nil
	}
	h := &htmlWriter{out: bufio.NewWriter(w), links: l}
	h.printf("<p>%s</p>\n<ul class=waits>\n", htmlText(dependencySummary(p, roots)))
	for _, root := range roots[:min(drawnRoots, len(roots))] {
		h.link(p, root, rootText(p, root), cycleOf(root), 1)
	}
	h.more(len(roots)-drawnRoots, "tree")
	h.printf("</ul>\n")
	return h.out.Flush()
}

// cycleOf returns the links of a tree from its root to the end of the cycle.
func cycleOf(root *link) map[*link]bool {
	in := map[*link]bool{}
	var mark func(l *link) bool
	mark = func(l *link) bool {
		in[l] = l.closes
		for _, b := range l.behind {
			in[l] = mark(b) || in[l]
		}
		return in[l]
	}
	mark(root)
	return in
}

// link draws one link and those behind it.
func (h *htmlWriter) link(p *page, l *link, text []span, cycle map[*link]bool, depth int) {
	class := "node"
	if cycle[l] {
		class = "node cycle"
	}
	h.printf("<li><div class=%q>%s%s</div>", class, htmlSpans(text), h.rawOf(l))
	switch {
	case len(l.behind) == 0:
	case depth == drawnDepth:
		h.printf("<ul>")
		h.more(l.size-sizeOf(l.threads), "thread")
		h.printf("</ul>")
	default:
		h.printf("\n<ul>\n")
		rest := 0
		for i, b := range l.behind {
			if i < drawnBehind {
				h.link(p, b, linkText(p, b), cycle, depth+1)
			} else {
				rest += b.size
			}
		}
		h.more(rest, "thread")
		h.printf("</ul>")
	}
	h.printf("</li>\n")
}

// rawOf returns links to the blocks of a link's threads in the dump.
func (h *htmlWriter) rawOf(l *link) string {
	if l.closes {
		return ""
	}
	markup := ""
	for i, t := range l.threads[:min(drawnLinks, len(l.threads))] {
		label := "in the dump"
		if len(l.threads) > 1 {
			label = fmt.Sprintf("[%d]", i+1)
		}
		if to := h.links.Thread(t.Name, t.ID); to != "" {
			markup += " " + anchor(to, label)
		}
	}
	return markup
}

func (h *htmlWriter) more(n int, what string) {
	if n > 0 {
		h.printf("<li><div class=node>and %s</div></li>\n", htmlText(counted(n, "more "+what)))
	}
}
