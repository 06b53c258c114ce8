package analysis

import (
	"slices"

	"github.com/jstall/jstall/analysis/facts/locks"
	"github.com/jstall/jstall/analysis/finding"
)

// explains reports whether effect only follows from b: every culprit of effect is a victim of b, or some are and the
// others are culprits of both. If effect has no culprits, all its victims must be victims of b.
func explains(b finding.Blame, effect finding.Blame) bool {
	if !b.Related(effect) {
		return false
	}
	threads := effect.Culprits
	if len(threads) == 0 {
		threads = effect.Victims
	}
	held := false
	for t := range threads {
		switch {
		case b.Victims[t]:
			held = true
		case !b.Culprits[t]:
			return false
		}
	}
	return held
}

// causes finds, for each finding, the finding that explains it; None if there is no such finding. A finding whose
// culprits are the victims of another is its effect. Of two that blame the same threads the first explains the other.
func causes(all []finding.Candidate) []int {
	blames := make([]finding.Blame, len(all))
	for i := range all {
		blames[i] = finding.NewBlame(&all[i].Finding)
		blames[i].Stall = blames[i].Stall && !all[i].Elsewhere && !all[i].Past
	}
	index := indexBlames(blames)
	var behind []int // the findings that know their effects themselves
	for i := range all {
		if all[i].Behind != nil {
			behind = append(behind, i)
		}
	}
	by := make([]int, len(all))
	for i := range all {
		by[i] = locks.None
		if at := slices.IndexFunc(behind, func(j int) bool { return hasBehind(&all[j], &all[i]) }); at != locks.None {
			by[i] = behind[at]
			continue
		}
		if by[i] = explaining(all, blames, index, i); by[i] == locks.None {
			by[i] = blamingSame(all, blames, index, i)
		}

	}
	for i := range by {
		by[i] = root(by, i)
	}
	return by
}

// explaining is the first finding that has the culprits of finding i as its victims, None if no finding has. Of two
// that explain each other the earlier one counts.
func explaining(all []finding.Candidate, blames []finding.Blame, index *blameIndex, i int) int {
	for _, j := range index.explaining(blames[i]) {
		if i != j && !hasBehind(&all[i], &all[j]) && explains(blames[j], blames[i]) &&
			(j < i || !explains(blames[i], blames[j])) {
			return j
		}
	}
	return locks.None
}

// blamingSame is the first finding that blames the same threads as finding i and is before it or is a cycle of threads.
func blamingSame(all []finding.Candidate, blames []finding.Blame, index *blameIndex, i int) int {
	for _, j := range index.blaming(blames[i]) {
		before := !hasBehind(&all[i], &all[j]) && (j < i || blames[j].Closed && !blames[i].Closed)
		if i != j && before && blames[j].BlamesSame(blames[i]) && !explains(blames[i], blames[j]) {
			return j
		}
	}
	return locks.None
}

// hasBehind reports whether the candidate itself claims the other finding as its effect.
func hasBehind(c *finding.Candidate, effect *finding.Candidate) bool {
	return c.Behind != nil && c.Behind(&effect.Finding)
}

// root follows a chain of causes to its end. A chain that returns to its start has no cause.
func root(by []int, i int) int {
	at, steps := by[i], 0
	for at != locks.None && by[at] != locks.None && by[at] != at {
		at = by[at]
		if steps++; at == i || steps > len(by) {
			return locks.None
		}
	}
	return at
}

// raiseSeverities raises the severity of each cause to that of its effects.
func raiseSeverities(all []finding.Candidate, by []int) {
	for i, r := range by {
		if r != locks.None && severityRank(all[i].Severity) < severityRank(all[r].Severity) {
			all[r].Severity = all[i].Severity
		}
	}
}

// weigh counts the threads of a finding. For a lack of CPU it is 0: those threads are many, and the cause is outside of
// them.
func weigh(f *finding.Finding) int {
	if f.Kind == finding.KindCPUStarved {
		return 0
	}
	return len(f.Culprits) + len(f.Victims)
}

// explain puts each explained finding behind the finding that explains it. Among findings of one severity, the one that
// explains most threads comes first.
func explain(all []finding.Candidate) []finding.Finding {
	by := causes(all)
	weight := make([]int, len(all))
	var roots []int
	for i := range all {
		weight[i] += weigh(&all[i].Finding)
		if by[i] == locks.None {
			roots = append(roots, i)
		} else {
			weight[by[i]] += weigh(&all[i].Finding)
		}
	}
	raiseSeverities(all, by)
	slices.SortStableFunc(roots, func(a, b int) int {
		if order := severityOrder(&all[a].Finding) - severityOrder(&all[b].Finding); order != 0 {
			return order
		}
		return weight[b] - weight[a]
	})
	effects := map[int][]int{}
	for i, r := range by {
		effects[r] = append(effects[r], i)
	}
	ordered := make([]finding.Finding, 0, len(all))
	for _, r := range roots {
		ordered = append(ordered, all[r].Finding)
		for _, i := range effects[r] {
			all[i].ExplainedBy = all[r].ID
			ordered = append(ordered, all[i].Finding)
		}
	}
	return ordered
}

// blameIndex finds the findings that name a thread.
type blameIndex struct {
	culprit, named map[finding.ThreadID][]int // indexes of findings in order; named as culprit or victim
}

func indexBlames(all []finding.Blame) *blameIndex {
	in := &blameIndex{map[finding.ThreadID][]int{}, map[finding.ThreadID][]int{}}
	for i, b := range all {
		for t := range b.Culprits {
			in.culprit[t] = append(in.culprit[t], i)
			in.named[t] = append(in.named[t], i)
		}
		for t := range b.Victims {
			if !b.Culprits[t] {
				in.named[t] = append(in.named[t], i)
			}
		}
	}
	return in
}

// explaining returns the findings that may explain an effect: they name all threads that it blames.
func (in *blameIndex) explaining(effect finding.Blame) []int {
	if len(effect.Culprits) == 0 {
		return rarest(in.named, effect.Victims)
	}
	return rarest(in.named, effect.Culprits)
}

// blaming returns the findings that may blame all threads that another finding blames.
func (in *blameIndex) blaming(other finding.Blame) []int { return rarest(in.culprit, other.Culprits) }

// rarest returns the findings of the thread that has the fewest.
func rarest(of map[finding.ThreadID][]int, threads map[finding.ThreadID]bool) []int {
	var best []int
	first := true
	for t := range threads {
		if some := of[t]; first || len(some) < len(best) {
			best, first = some, false
		}
	}
	return slices.Clip(best)
}
