package analysis

import "slices"

// blameIndex finds the findings that name a thread, of any number of them.
type blameIndex struct {
	culprit, named map[threadID][]int // in the order of findings; named as culprit or victim
}

func indexBlames(all []blame) *blameIndex {
	in := &blameIndex{map[threadID][]int{}, map[threadID][]int{}}
	for i, b := range all {
		for t := range b.culprits {
			in.culprit[t] = append(in.culprit[t], i)
			in.named[t] = append(in.named[t], i)
		}
		for t := range b.victims {
			if !b.culprits[t] {
				in.named[t] = append(in.named[t], i)
			}
		}
	}
	return in
}

// explaining are the findings that may explain an effect: they name all whom it blames.
func (in *blameIndex) explaining(effect blame) []int {
	if len(effect.culprits) == 0 {
		return rarest(in.named, effect.victims)
	}
	return rarest(in.named, effect.culprits)
}

// blaming are the findings that may blame all whom another one blames.
func (in *blameIndex) blaming(other blame) []int { return rarest(in.culprit, other.culprits) }

// rarest are the findings of the thread that has the fewest.
func rarest(of map[threadID][]int, threads map[threadID]bool) []int {
	var best []int
	first := true
	for t := range threads {
		if some := of[t]; first || len(some) < len(best) {
			best, first = some, false
		}
	}
	return slices.Clip(best)
}
