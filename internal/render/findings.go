package render

import (
	"fmt"
	"github.com/jstall/jstall/analysis"
	"github.com/jstall/jstall/analysis/finding"
	"slices"
	"strings"
)

// What a report shows by default so that it fits one screen.
const (
	maxFindings = 3  // with all their lines
	maxAlso     = 3  // with their title only
	firstLines  = 10 // of the first finding
	nextLines   = 7  // of those after it
)

// findings shows those that no other finding explains.
func (p *page) findings() {
	roots := p.roots()
	shown, also := len(roots), 0
	if !p.options.Full {
		shown = min(shown, maxFindings)
		also = min(len(roots)-shown, maxAlso)
	}
	for i, f := range roots[:shown] {
		p.finding(i+1, f)
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

// moreFindings counts findings as the verdict does, which leaves hints out.
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

// roots are the findings that stand for themselves. What claims to be explained
// by a finding that is not there, or by itself, does.
func (p *page) roots() []*finding.Finding {
	var out []*finding.Finding
	for i := range p.report.Findings {
		f := &p.report.Findings[i]
		if p.rootOf(f) == f {
			out = append(out, f)
		}
	}
	return out
}

func (p *page) rootOf(f *finding.Finding) *finding.Finding {
	if root := p.rootByFinding[f]; root != nil {
		return root
	}
	return f
}

// rootsOf are the findings at the ends of the explanations of each finding. One of a circle is its own root.
func rootsOf(findings []finding.Finding) map[*finding.Finding]*finding.Finding {
	byID := make(map[string]*finding.Finding, len(findings))
	for i := range slices.Backward(findings) { // the first of an id counts
		byID[findings[i].ID] = &findings[i]
	}
	roots := make(map[*finding.Finding]*finding.Finding, len(findings))
	for i := range findings {
		var path []*finding.Finding
		f, onPath := &findings[i], map[*finding.Finding]bool{}
		for roots[f] == nil && !onPath[f] {
			path, onPath[f] = append(path, f), true
			if next := byID[f.ExplainedBy]; f.ExplainedBy != "" && next != nil {
				f = next
			}
		}
		for _, each := range path {
			switch root := roots[f]; {
			case root != nil:
				roots[each] = root
			case f.ExplainedBy == "" || byID[f.ExplainedBy] == nil:
				roots[each] = f
			default:
				roots[each] = each
			}
		}
	}
	return roots
}

// explainedBy are the findings of each root but the root, in the order of the report.
func explainedBy(
	findings []finding.Finding, roots map[*finding.Finding]*finding.Finding,
) map[*finding.Finding][]*finding.Finding {
	behind := map[*finding.Finding][]*finding.Finding{}
	for i := range findings {
		if f := &findings[i]; roots[f] != f {
			behind[roots[f]] = append(behind[roots[f]], f)
		}
	}
	return behind
}

// changedState is the state that a finding alone stands for, in the words of the headline, where it
// is another one than the page told last.
func (p *page) changedState(f *finding.Finding) []span {
	state := analysis.StateOf(f)
	if state == p.told {
		return nil
	}
	p.told = state
	return []span{stateSpan(state), plain(" ")}
}

// finding shows one finding; its plan keeps it short.
func (p *page) finding(number int, f *finding.Finding) {
	p.title(number, f)
	victims, culprits := p.victimGroups(f.Victims), p.culpritGroups(f)
	plan := p.plan(f, number, len(culprits), len(victims))
	p.culprits(f, culprits, plan)
	p.victims(f, victims, plan.victims)
	p.explained(f)
	p.evidence(p.beyondShown(f, culprits, victims, plan), plan.evidence)
	p.advice(f)
}

// title heads a finding. What the verdict has said in full is not said again.
func (p *page) title(number int, f *finding.Finding) {
	text := append([]span{plain(fmt.Sprintf("%d. ", number))}, p.changedState(f)...)
	text = append(text, strong(string(f.Kind)), plain(fmt.Sprintf(" (%s)", p.certainty(f))))
	if number > 1 || !tells(p.report.Verdict.Summary, f.Title) {
		title := prose(f.Title)
		title.style = styleStrong
		text = append(text, plain(": "), title)
	}
	p.heading(3, text...)
}

// tells reports that a headline has all words of a title, in their order. It has the place beside them.
func tells(headline, title string) bool {
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

func (p *page) advice(f *finding.Finding) {
	if f.Advice != "" {
		p.item("Advice", prose(f.Advice))
	}
}

// plan says how many lines of each sort a finding gets: culprits with no frames
// take one line each.
type plan struct {
	culprits, frames, victims, evidence int
}

func (p *page) plan(f *finding.Finding, number, culprits, victims int) plan {
	if p.options.Full {
		return plan{culprits, depthOr(p.options.StackDepth, 1<<20), victims, len(f.Evidence)}
	}
	lines, most := firstLines, 2
	if number > 1 {
		lines, most = nextLines, 1
	}
	out := plan{victims: min(victims, most), evidence: min(len(f.Evidence), most)}
	if _, behind := p.behind(f); len(behind) > 0 {
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

func depthOr(depth, otherwise int) int {
	if depth > 0 {
		return depth
	}
	return otherwise
}

// item is a labelled line of a finding.
func (p *page) item(label string, text ...span) {
	p.blocks = append(p.blocks, line{label: label, text: text, item: true})
}

// itemCut is an item that never takes a second line.
func (p *page) itemCut(label string, text ...span) {
	p.blocks = append(p.blocks, line{label: label, text: text, item: true, cut: true})
}

func (p *page) culprits(f *finding.Finding, groups []group, plan plan) {
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
			p.itemCode(p.excerpt(g.thread, plan.frames, f.Evidence))
		}
	}
}

func (p *page) itemCode(lines []string) {
	if len(lines) > 0 {
		p.blocks = append(p.blocks, code{lines: lines, item: true})
	}
}

// victims shows the first groups of those that wait, as far as the report names them, the places of the others that no
// line has, and how many more there are.
func (p *page) victims(f *finding.Finding, groups []group, shown int) {
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

// otherPlaces are the places of the groups that are not shown, without those of the groups that are, and the number of
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

func sum(groups []group) int {
	n := 0
	for _, g := range groups {
		n += len(g.refs)
	}
	return n
}
