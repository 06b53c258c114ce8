package render

import (
	"fmt"
	"slices"
	"strings"

	"github.com/jstall/jstall/analysis/finding"
)

// explainedThreads returns the threads of those findings that f explains, without its own, and the kinds of those that
// are about other threads than f's; if there are none, of all.
func explainedThreads(p *page, f *finding.Finding) (threads []finding.ThreadRef, kinds []string) {
	told := map[threadKey]bool{}
	for _, t := range slices.Concat(f.Culprits, f.Victims) {
		told[keyOf(t)] = true
	}
	var all []string
	for _, other := range p.behindRoot[f] {
		adds := false
		for _, t := range slices.Concat(other.Victims, other.Culprits) {
			if key := keyOf(t); !told[key] {
				told[key], adds = true, true
				threads = append(threads, t)
			}
		}
		all = withKind(all, other.Kind)
		if adds {
			kinds = withKind(kinds, other.Kind)
		}
	}
	if len(threads) == 0 {
		kinds = all
	}
	return threads, kinds
}

func withKind(kinds []string, kind finding.Kind) []string {
	if slices.Contains(kinds, string(kind)) {
		return kinds
	}
	return append(kinds, string(kind))
}

// showExplained shows the threads of the findings that this one explains: the largest group at one place, and how many
// more there are; with Full all of them.
func showExplained(p *page, f *finding.Finding) {
	threads, kinds := explainedThreads(p, f)
	switch {
	case len(kinds) == 0:
	case len(threads) == 0:
		p.item("Also", plain(findingsCaused(kinds)+" of the same threads"))
	case !slices.ContainsFunc(kinds, wantSomething):
		p.item("Also", plain(findingsCaused(kinds)+" of "+moreThreads(len(threads))))
	default:
		showWaitBehind(p, victimGroups(p, threads))
	}
}

// findingsCaused is "causes the finding hot-thread".
func findingsCaused(kinds []string) string {
	return "causes the " + verb(len(kinds), "finding ", "findings ") + strings.Join(kinds, ", ")
}

func showWaitBehind(p *page, groups []group) {
	shown := 1
	if p.options.Full {
		shown = len(groups)
	}
	for i, g := range groups[:shown] {
		text := g.victims()
		if rest := sum(groups[shown:]); i == shown-1 && rest > 0 {
			text = append(text, faint(fmt.Sprintf(", and %s", moreThreads(rest))))
		}
		p.itemCut("Also", text...)
	}
}

// wantSomething reports whether the threads of a kind of findings wait for something.
func wantSomething(kind string) bool {
	return kind != string(finding.KindHotThread) && kind != string(finding.KindSpin)
}

func moreThreads(n int) string {
	if n == 1 {
		return "1 more thread"
	}
	return count(n) + " more threads"
}
