package render

import (
	"fmt"
	"slices"
	"strings"

	"github.com/jstall/jstall/analysis/finding"
)

// behind are the threads of those findings that f explains, beside its own, and the kinds
// of those that tell of others than f's; where none does, of all.
func (p *page) behind(f *finding.Finding) (threads []finding.ThreadRef, kinds []string) {
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

func keyOf(t finding.ThreadRef) threadKey { return threadKey{t.Name, t.ID, t.NativeID} }

func withKind(kinds []string, kind finding.Kind) []string {
	if slices.Contains(kinds, string(kind)) {
		return kinds
	}
	return append(kinds, string(kind))
}

// explained shows whom the findings tell of that this one stands for: the most that
// stand at one place, and how many more there are; all of them in full.
func (p *page) explained(f *finding.Finding) {
	threads, kinds := p.behind(f)
	switch {
	case len(kinds) == 0:
	case len(threads) == 0:
		p.item("Also", plain("causes "+strings.Join(kinds, ", ")+" (same threads)"))
	case !slices.ContainsFunc(kinds, wantSomething):
		p.item("Also", plain(fmt.Sprintf("causes %s of %s", strings.Join(kinds, ", "),
			moreThreads(len(threads)))))
	default:
		p.waitBehind(p.victimGroups(threads))
	}
}

func (p *page) waitBehind(groups []group) {
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

// wantSomething tells kinds of findings, as behind lists them, whose threads wait for something.
func wantSomething(kind string) bool {
	return kind != string(finding.KindHotThread) && kind != string(finding.KindSpin)
}

func moreThreads(n int) string {
	if n == 1 {
		return "1 more thread"
	}
	return count(n) + " more threads"
}
