package analysis

import (
	"slices"

	"github.com/jstall/jstall/analysis/facts/locks"
	"github.com/jstall/jstall/analysis/finding"
)

// explains reports that effect is only what follows from b: all whom it blames are themselves victims of b, or some
// and the others are to blame in both. Where nobody is threadID, all its victims must be b's.
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

// causes finds for each finding the one that explains it, none if it stands for itself. A finding whose culprits are
// the victims of another is its effect; of two that blame the same threads the first explains the other.
func causes(all []finding.Candidate) []int {
	blames := make([]finding.Blame, len(all))
	for i := range all {
		blames[i] = finding.NewBlame(&all[i].Finding)
		blames[i].Stall = blames[i].Stall && !all[i].Elsewhere && !all[i].Past
	}
	index := indexBlames(blames)
	var behind []int // those that tell of their effects
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

// explaining is the first finding whose victims the culprits of another are, none if there is none. Of two that
// explain each other it is the one before.
func explaining(all []finding.Candidate, blames []finding.Blame, index *blameIndex, i int) int {
	for _, j := range index.explaining(blames[i]) {
		if i != j && !hasBehind(&all[i], &all[j]) && explains(blames[j], blames[i]) &&
			(j < i || !explains(blames[i], blames[j])) {
			return j
		}
	}
	return locks.None
}

// blamingSame is the first finding that blames the same threads as another: one before it, or a closed circle.
func blamingSame(all []finding.Candidate, blames []finding.Blame, index *blameIndex, i int) int {
	for _, j := range index.blaming(blames[i]) {
		before := !hasBehind(&all[i], &all[j]) && (j < i || blames[j].Closed && !blames[i].Closed)
		if i != j && before && blames[j].BlamesSame(blames[i]) && !explains(blames[i], blames[j]) {
			return j
		}
	}
	return locks.None
}

// hasBehind reports that a finding is an effect of the candidate as this one itself tells.
func hasBehind(c *finding.Candidate, effect *finding.Candidate) bool {
	return c.Behind != nil && c.Behind(&effect.Finding)
}

// root follows a chain of causes to its end; one that comes back to where it began has no cause.
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

// asGrave lets a cause be as grave as what it explains.
func asGrave(all []finding.Candidate, by []int) {
	for i, r := range by {
		if r != locks.None && severityRank(all[i].Severity) < severityRank(all[r].Severity) {
			all[r].Severity = all[i].Severity
		}
	}
}

// weigh counts the threads that a finding is about. It counts none for a lack of CPU: those threads are many,
// and the cause is outside of them.
func weigh(f *finding.Finding) int {
	if f.Kind == finding.KindCPUStarved {
		return 0
	}
	return len(f.Culprits) + len(f.Victims)
}

// explain puts each finding that another one explains behind that one. Among findings of one severity, the one that
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
	asGrave(all, by)
	slices.SortStableFunc(roots, func(a, b int) int {
		if order := gravity(&all[a].Finding) - gravity(&all[b].Finding); order != 0 {
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

// blameIndex finds the findings that name a thread, of any number of them.
type blameIndex struct {
	culprit, named map[finding.ThreadID][]int // in the order of findings; named as culprit or victim
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

// explaining are the findings that may explain an effect: they name all whom it blames.
func (in *blameIndex) explaining(effect finding.Blame) []int {
	if len(effect.Culprits) == 0 {
		return rarest(in.named, effect.Victims)
	}
	return rarest(in.named, effect.Culprits)
}

// blaming are the findings that may blame all whom another one blames.
func (in *blameIndex) blaming(other finding.Blame) []int { return rarest(in.culprit, other.Culprits) }

// rarest are the findings of the thread that has the fewest.
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
