package hotthread

import (
	"fmt"
	"slices"

	"jstall/analysis/facts/cpu"
	"jstall/analysis/finding"
)

func hotTitle(hot []cpu.HotThread, sum float64) string {
	starved := slices.ContainsFunc(hot, func(t cpu.HotThread) bool {
		return t.Share < cpu.HotShare && t.Wanted >= cpu.HotShare
	})
	switch name := hot[0].H.Thread.Called(); {
	case len(hot) == 1 && starved:
		return fmt.Sprintf("%s needs a whole core (ran %s, waited for a CPU %s)", name, finding.Percent(sum),
			finding.Percent(hot[0].Wanted-sum))
	case len(hot) == 1:
		return name + " uses " + finding.CoresUsed(sum)
	case starved:
		return fmt.Sprintf("%s threads with the same work need a core each and get %s together",
			finding.Thousands(len(hot)), finding.CoresUsed(sum))
	}
	return fmt.Sprintf("%s threads with the same work use %s", finding.Thousands(len(hot)), finding.CoresUsed(sum))
}

const backtrackingAdvice = "Rewrite the regular expression without nested repetitions such as (a+)+ or (a|b)*, " +
	"use possessive quantifiers (a++), or limit the length of the text."
