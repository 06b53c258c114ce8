package render

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/jstall/jstall/analysis/finding"
)

// showEvidence quotes what the reader can check in the dump. Lines of equal text are shown once.
func showEvidence(p *page, all []finding.Evidence, limit int) {
	groups := alike(all)
	limit = min(limit, len(groups))
	for i, g := range groups[:limit] {
		text := []span{quoted(g[0].Text), faint(placesOfAll(p, g))}
		if rest := len(groups) - limit; i == limit-1 && rest > 0 {
			text = append(text, faint(fmt.Sprintf("; %s more (--full)", count(rest))))
		}
		p.blocks = append(p.blocks, line{label: "Evidence", text: text, item: true, cut: true, seen: g})
	}
}

// beyondShown returns the evidence of a finding without the frames that the lines above it show. It returns all of it
// with Full, and if there is no other evidence.
func beyondShown(p *page, f *finding.Finding, culprits, victims []group, plan plan) []finding.Evidence {
	if p.options.Full {
		return f.Evidence
	}
	shown := map[string]bool{}
	for _, g := range victims[:plan.victims] {
		shown["at "+g.where()] = true
	}
	for _, g := range culprits[:min(plan.culprits, len(culprits))] {
		if g.thread != nil && !g.elsewhere() {
			for _, frame := range excerpt(p, g.thread, plan.frames, f.Evidence) {
				shown[frame[strings.Index(frame, "at "):]] = true
			}
		}
	}
	rest := slices.DeleteFunc(slices.Clone(f.Evidence), func(e finding.Evidence) bool {
		frame, isFrame := strings.CutPrefix(e.Text, "at ")
		return isFrame && shown["at "+frameText(frame)]
	})
	if len(rest) == 0 {
		return f.Evidence
	}
	return rest
}

// alike groups evidence of equal text, in the order of the first ones.
func alike(all []finding.Evidence) [][]finding.Evidence {
	var groups [][]finding.Evidence
	place := map[string]int{}
	for _, e := range all {
		i, seen := place[e.Text]
		if !seen {
			i = len(groups)
			place[e.Text] = i
			groups = append(groups, nil)
		}
		groups[i] = append(groups[i], e)
	}
	return groups
}

// placesOfAll names the places of lines with equal text: all of them if they are few and of one dump.
func placesOfAll(p *page, g []finding.Evidence) string {
	const few = 4
	if len(g) == 1 {
		return placeOf(p, g[0])
	}
	lines := linesOf(g)
	switch {
	case len(lines) != len(g) || len(lines) > few:
		return placeOf(p, g[0]) + " and " + counted(len(g)-1, "equal line")
	case p.fileName(*g[0].Dump) != "":
		return fmt.Sprintf(" (%s:%s)", p.fileName(*g[0].Dump), strings.Join(lines, ","))
	}
	return fmt.Sprintf(" (%s, lines %s)", p.dumpName(*g[0].Dump), strings.Join(lines, ", "))
}

// linesOf returns the sorted line numbers of the evidence from the same dump as the first.
func linesOf(g []finding.Evidence) []string {
	var lines []int
	for _, e := range g {
		if e.Line != nil && e.Dump != nil && sameValue(e.Dump, g[0].Dump) {
			lines = append(lines, *e.Line)
		}
	}
	slices.Sort(lines)
	texts := make([]string, len(lines))
	for i, n := range lines {
		texts[i] = strconv.Itoa(n)
	}
	return texts
}

// placeOf names the place of a quoted line, empty for a figure.
func placeOf(p *page, e finding.Evidence) string {
	switch {
	case e.Line == nil:
		return ""
	case e.Dump == nil:
		return fmt.Sprintf(" (line %d)", *e.Line)
	}
	if name := p.fileName(*e.Dump); name != "" {
		return fmt.Sprintf(" (%s:%d)", name, *e.Line)
	}
	return fmt.Sprintf(" (%s, line %d)", p.dumpName(*e.Dump), *e.Line)
}

// plan says how many lines of each sort a finding gets. Culprits without frames take one line each.
type plan struct {
	culprits, frames, victims, evidence int
}
