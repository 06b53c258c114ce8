package analysis

import (
	"slices"

	"jstall/analysis/finding"
)

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
