package render

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/jstall/jstall/analysis"
	"github.com/jstall/jstall/analysis/finding"
)

// Site is one of several targets. Name says where it runs, which distinguishes it from the others.
type Site struct {
	Name   string
	Report *analysis.Report
}

// Sites writes what several JVMs have in common: their verdicts, then each finding with the JVMs that have it.
func Sites(w io.Writer, sites []Site, o Options) error {
	return writeText(w, sitesDocument(sites, o), o)
}

// SitesMarkdown writes the same for a ticket.
func SitesMarkdown(w io.Writer, sites []Site, o Options) error {
	return writeMarkdownWithin(w, sitesDocument(sites, o), o.MaxTokens)
}

func sitesDocument(sites []Site, o Options) *document {
	d := &document{}
	d.heading(1, sitesHeadline(sites)...)
	t := table{columns: []column{{title: "WHERE"}, {title: "STATE"}, {title: "VERDICT", flexible: true}}}
	for _, s := range sites {
		verdict := s.Report.Verdict
		t.add(strong(s.Name), stateSpan(verdict.State), plain(verdict.Summary))
	}
	d.table(t)
	for i, g := range shared(sites) {
		d.gap()
		g.show(d, i+1, len(sites), o)
	}
	return d
}

// sitesHeadline counts the states, the worst first: "12 targets: 7 DEADLOCKED, 4 OK, 1 UNKNOWN".
func sitesHeadline(sites []Site) []span {
	order := []analysis.VerdictState{analysis.Deadlocked, analysis.Stalled, analysis.Unresponsive, analysis.Degraded,
		analysis.Suspicious, analysis.Unknown, analysis.Ok, analysis.NoDeadlock}
	count := map[analysis.VerdictState]int{}
	for _, s := range sites {
		count[s.Report.Verdict.State]++
	}
	out := []span{plain(counted(len(sites), "target") + ": ")}
	separator := ""
	for _, state := range order {
		if n := count[state]; n > 0 {
			out = append(out, plain(fmt.Sprintf("%s%d ", separator, n)), stateSpan(state))
			separator = ", "
		}
	}
	return out
}

// sharedFinding is one finding of one or more JVMs.
type sharedFinding struct {
	kind   finding.Kind
	places []string // of the culprits
	names  []string // of the sites
	// first is the finding of the first of the sites, whose text is shown.
	first *finding.Finding
}

// shared groups findings of the same kind whose culprits are at the same methods. Findings that another finding of the
// same JVM explains are left out. The worst come first, then those of the most JVMs.
func shared(sites []Site) []*sharedFinding {
	groups := map[string]*sharedFinding{}
	var all []*sharedFinding
	for _, s := range sites {
		for i := range s.Report.Findings {
			f := &s.Report.Findings[i]
			if f.ExplainedBy != "" {
				continue
			}
			places := culpritPlaces(f)
			key := string(f.Kind) + "\n" + strings.Join(places, "\n")
			g := groups[key]
			if g == nil {
				g = &sharedFinding{kind: f.Kind, places: places, first: f}
				groups[key] = g
				all = append(all, g)
			}
			if !slices.Contains(g.names, s.Name) {
				g.names = append(g.names, s.Name)
			}
		}
	}
	slices.SortStableFunc(all, func(a, b *sharedFinding) int {
		return cmp.Or(cmp.Compare(severityRank(a.first.Severity), severityRank(b.first.Severity)),
			cmp.Compare(len(b.names), len(a.names)),
			cmp.Compare(slices.Index(finding.Kinds[:], a.kind), slices.Index(finding.Kinds[:], b.kind)))
	})
	return all
}

func severityRank(s finding.Severity) int {
	return slices.Index([]finding.Severity{finding.Critical, finding.Warning, finding.Info}, s)
}

// culpritPlaces returns the sorted methods of the culprits, as two JVMs may list the threads of a cycle in different
// orders. The class of a lambda contains a number that differs between runs.
func culpritPlaces(f *finding.Finding) []string {
	var places []string
	for _, c := range f.Culprits {
		place, _, _ := strings.Cut(c.Frame, "$$Lambda")
		if place != "" && !slices.Contains(places, place) {
			places = append(places, place)
		}
	}
	slices.Sort(places)
	return places
}

// show writes a group: how many targets have it, where its culprits are, and what to do.
func (g *sharedFinding) show(d *document, number, of int, o Options) {
	state := stateSpan(analysis.StateOf(g.first))
	d.heading(3, plain(fmt.Sprintf("%d. ", number)), state, strong(" "+string(g.kind)),
		plain(fmt.Sprintf(" (%s) in %d of %s", g.first.Confidence, len(g.names), counted(of, "target"))))
	about := "Finding"
	if len(g.names) > 1 {
		about = "Example"
	}
	item := func(label string, text span) {
		d.blocks = append(d.blocks, line{label: label, text: []span{text}, item: true})
	}
	item(about, prose(g.first.Title))
	if len(g.places) > 0 {
		item("At", quoted(strings.Join(shown(g.places, placesShown), ", ")))
	}
	names := strings.Join(g.names, ", ")
	if most := sitesNamed; !o.Full && len(g.names) > most {
		names = strings.Join(g.names[:most], ", ") + fmt.Sprintf(" and %d more (--full)", len(g.names)-most)
	}
	item("Where", plain(names))
	if g.first.Advice != "" {
		item("Advice", prose(g.first.Advice))
	}
}

// sitesNamed is how many JVMs of a finding are named by default.
const sitesNamed = 8
