package render

import (
	"fmt"
	"slices"
	"strings"

	"github.com/jstall/jstall/analysis"
	"github.com/jstall/jstall/analysis/finding"
)

// The default limits of a report, so that it fits one screen.
const (
	maxFindings = 3  // with all their lines
	maxAlso     = 3  // with their title only
	firstLines  = 10 // of the first finding
	nextLines   = 7  // of those after it
)

// showFindings shows the findings that no other finding explains.
func showFindings(p *page) {
	roots := p.roots()
	shown, also := len(roots), 0
	if !p.options.Full {
		shown = min(shown, maxFindings)
		also = min(len(roots)-shown, maxAlso)
	}
	for i, f := range roots[:shown] {
		showFinding(p, i+1, f)
	}
	if rest := len(roots) - shown; rest > 0 {
		text := moreFindings(roots[shown:])
		if rest > also {
			text += ", the first of them"
		}
		p.section("Also", plain(text+" (--full shows all):"))
	}
	for _, f := range roots[shown : shown+also] {
		p.underCut(append(p.changedState(f), plain(string(f.Kind)+": "), prose(f.Title))...)
	}
}

// moreFindings counts findings as the verdict does, without hints.
func moreFindings(rest []*finding.Finding) string {
	hints := 0
	for _, f := range rest {
		if f.Severity == finding.Info {
			hints++
		}
	}
	switch n := len(rest) - hints; {
	case hints == 0:
		return counted(n, "more finding")
	case n == 0:
		return counted(hints, "hint")
	default:
		return counted(n, "more finding") + " and " + counted(hints, "hint")
	}
}

// changedState is the state that the finding alone would cause, as the headline names it, if the page showed another
// state last.
func (p *page) changedState(f *finding.Finding) []span {
	state := analysis.StateOf(f)
	if state == p.lastState {
		return nil
	}
	p.lastState = state
	return []span{stateSpan(state), plain(" ")}
}

// showFinding shows one finding within its plan.
func showFinding(p *page, number int, f *finding.Finding) {
	showTitle(p, number, f)
	victims, culprits := victimGroups(p, f.Victims), culpritGroups(p, f)
	plan := planOf(p, f, number, len(culprits), len(victims))
	showCulprits(p, f, culprits, plan)
	showVictims(p, f, victims, plan.victims)
	showExplained(p, f)
	showEvidence(p, beyondShown(p, f, culprits, victims, plan), plan.evidence)
	showAdvice(p, f)
}

// showTitle writes the heading of a finding. It does not repeat a title that the verdict has in full.
func showTitle(p *page, number int, f *finding.Finding) {
	text := append([]span{plain(fmt.Sprintf("%d. ", number))}, p.changedState(f)...)
	text = append(text, strong(string(f.Kind)), plain(fmt.Sprintf(" (%s)", p.certainty(f))))
	if number > 1 || !coversTitle(p.report.Verdict.Summary, f.Title) {
		title := prose(f.Title)
		title.style = styleStrong
		text = append(text, plain(": "), title)
	}
	p.heading(3, text...)
}

// coversTitle reports whether a headline has all words of a title, in their order. A headline also has the place.
func coversTitle(headline, title string) bool {
	punctuation := func(r rune) bool { return strings.ContainsRune(" ,;:", r) }
	rest := strings.FieldsFunc(headline, punctuation)
	for _, word := range strings.FieldsFunc(title, punctuation) {
		at := slices.Index(rest, word)
		if at < 0 {
			return false
		}
		rest = rest[at+1:]
	}
	return title != ""
}

func showAdvice(p *page, f *finding.Finding) {
	if f.Advice != "" {
		p.item("Advice", prose(f.Advice))
	}
}

func planOf(p *page, f *finding.Finding, number, culprits, victims int) plan {
	if p.options.Full {
		return plan{culprits, depthOr(p.options.StackDepth, 1<<20), victims, len(f.Evidence)}
	}
	lines, most := firstLines, 2
	if number > 1 {
		lines, most = nextLines, 1
	}
	out := plan{victims: min(victims, most), evidence: min(len(f.Evidence), most)}
	if _, behind := explainedThreads(p, f); len(behind) > 0 {
		lines--
		out.evidence = min(out.evidence, 1)
	}
	left := lines - 2 - max(out.victims, min(f.VictimCount, 1)) - out.evidence // title and advice
	out.culprits, out.frames = culprits, 0
	switch {
	case p.options.StackDepth > 0:
		out.frames = p.options.StackDepth
	case culprits > left:
		out.culprits = max(1, left-1)
	case culprits > 0:
		out.frames = left/culprits - 1
	}
	return out
}

func showCulprits(p *page, f *finding.Finding, groups []group, plan plan) {
	for i, g := range groups {
		label := labelOf(f, g)
		if i == plan.culprits {
			p.item("", plain(fmt.Sprintf("and %s with other stacks (--full)", counted(sum(groups[i:]), "more thread"))))
			return
		}
		if g.elsewhere() {
			p.itemCut(label, slices.Concat(g.culprit(), []span{plain(" was earlier at "), quoted(g.named())},
				g.waitsFor())...)
			continue
		}
		if w := g.where(); (plan.frames == 0 || g.thread == nil) && w != "" && w != unknown {
			p.itemCut(label, slices.Concat(g.culprit(), []span{plain(" at "), quoted(w)}, g.waitsFor(),
				g.before())...)
			continue
		}
		p.item(label, slices.Concat(g.culprit(), g.waitsFor(), g.before())...)
		if g.thread != nil {
			p.itemCode(excerpt(p, g.thread, plan.frames, f.Evidence))
		}
	}
}

// showVictims shows the first groups of waiting threads that the report names, the places of the others, and how many
// more there are.
func showVictims(p *page, f *finding.Finding, groups []group, shown int) {
	elsewhere, places := otherPlaces(groups, shown)
	for i, g := range groups[:shown] {
		text := g.victims()
		if rest := f.VictimCount - sum(groups[:shown]) - elsewhere; i == shown-1 && rest > 0 {
			text = append(text, faint(fmt.Sprintf(" and %s more", count(rest))))
		}
		p.itemCut("Waiting", text...)
	}
	switch {
	case shown == 0 && f.VictimCount > 0:
		p.item("", faint(fmt.Sprintf("and %s like %s, not listed", counted(f.VictimCount, "more thread"),
			verb(len(f.Culprits), "it", "these"))))
	case len(places) > 0:
		p.item("", slices.Concat([]span{faint(fmt.Sprintf("and %s more at ", count(elsewhere)))}, listed(places))...)
	}
}

// otherPlaces returns the places of the groups that are not shown, without those of the shown groups, and the number of
// threads there.
func otherPlaces(groups []group, shown int) (threads int, places []string) {
	for i, g := range groups {
		w := g.where()
		here := func(other group) bool { return other.where() == w }
		if i < shown || w == "" || w == unknown || slices.ContainsFunc(groups[:shown], here) {
			continue
		}
		threads += len(g.refs)
		if !slices.Contains(places, w) {
			places = append(places, w)
		}
	}
	return threads, places
}

// placesListed is how many places one line names.
const placesListed = 3

// listed is "A.a(A.java:1), B.b(B.java:2) and 4 more places".
func listed(places []string) []span {
	var out []span
	for i, place := range places[:min(len(places), placesListed)] {
		if i > 0 {
			out = append(out, plain(", "))
		}
		out = append(out, quoted(place))
	}
	if rest := len(places) - placesListed; rest > 0 {
		out = append(out, plain(" and "+counted(rest, "more place")))
	}
	return out
}
