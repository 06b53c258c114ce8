package render

import (
	"fmt"

	"github.com/jstall/jstall/analysis/stack"
)

const (
	treeTop   = 10 // links shown behind one thread
	treeDepth = 20 // levels of a chain, ten times as many in full
)

// layDependencyTree is the view of who waits for whom, from the thread at the root
// down to the last waiter.
func layDependencyTree(p *page) {
	if p.nothingKnown() {
		return
	}
	p.header()
	roots := dependencies(p)
	p.section("Tree", plain(dependencySummary(p, roots)))
	top := p.top(treeTop)
	for _, root := range roots[:min(top, len(roots))] {
		p.gap()
		t := tree{}
		t.add("", rootText(p, root))
		grow(p, &t, root, "", 1)
		p.blocks = append(p.blocks, t)
	}
	if rest := len(roots) - top; rest > 0 {
		p.gap()
		p.line("", faint(fmt.Sprintf("and %s (--top, --full)", counted(rest, "more tree"))))
	}
	p.stacksOfChosen()
	p.notes()
	p.footer()
}

// dependencySummary counts: "9 threads wait for other threads, in 1 tree".
func dependencySummary(p *page, roots []*link) string {
	waiting, cycles := 0, 0
	for _, r := range roots {
		waiting += r.waiting()
		if r.cycle > 0 {
			cycles++
		}
	}
	if waiting == 0 {
		return p.noThread() + " waits for a lock held by another thread. For other waits: jstall waiting-threads."
	}
	text := fmt.Sprintf("%s for other threads, in %s", threadsWait(waiting), counted(len(roots), "tree"))
	if cycles > 0 {
		text += fmt.Sprintf(" (%s)", counted(cycles, "cycle"))
	}
	return text
}

// rootText is the thread that all below wait for, and its activity.
func rootText(p *page, l *link) []span {
	if len(l.threads) == 0 {
		out := []span{strong("unknown owner"), plain(" of " + stack.WaitWords(l.lock.Type))}
		if o := object(l.lock); o != "" {
			out = append(out, plain(": "), quoted(o))
		}
		return out
	}
	if l.cycle > 0 {
		return append(holderAt(l.threads[0]), span{fmt.Sprintf(" ↻ in a cycle of %s", counted(l.cycle, "thread")),
			styleAlarm})
	}
	return holder(p, l.threads[0])
}

// linkText is a group of waiting threads, and what they wait for.
func linkText(p *page, l *link) []span {
	out := []span{strong(names(l.threads))}
	if l.closes {
		out = append(out, span{" ↻ again,", styleAlarm})
	}
	out = append(out, plain(verb(sizeOf(l.threads), " waits", " wait")+" for "+stack.WaitWords(l.lock.Type)))
	if o := object(l.lock); o != "" {
		out = append(out, plain(": "), quoted(withoutPackages(o)))
	}
	out = append(out, plain(longest(l.threads)))
	if f := place(l.threads[0]); f != "" && !l.closes {
		out = append(out, plain(" at "), quoted(f))
	}
	return out
}

// grow adds the links behind a link, indented under it.
func grow(p *page, t *tree, l *link, indent string, depth int) {
	top, deepest := p.top(treeTop), treeDepth
	if p.options.Full {
		deepest *= 10
	}
	if depth > deepest && len(l.behind) > 0 {
		rest := counted(l.size-sizeOf(l.threads), "more thread")
		t.add(indent+"└─ ", []span{faint(fmt.Sprintf("… %s in this branch", rest))})
		return
	}
	shown := l.behind[:min(top, len(l.behind))]
	rest := 0
	for _, b := range l.behind[len(shown):] {
		rest += b.size
	}
	for i, b := range shown {
		branch, below := "├─ ", "│  "
		if i == len(shown)-1 && rest == 0 {
			branch, below = "└─ ", "   "
		}
		t.add(indent+branch, linkText(p, b))
		grow(p, t, b, indent+below, depth+1)
	}
	if rest > 0 {
		t.add(indent+"└─ ", []span{faint(fmt.Sprintf("… %s (--top, --full)", counted(rest, "more thread")))})
	}
}
