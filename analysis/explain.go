package analysis

import "slices"

// stalls are the kinds that say why threads do not get on, and so may be the
// cause and the effect of each other. What grows, and what the machine lacks,
// stands for itself.
var stalls = [...]Kind{
	KindDeadlock, KindPoolDeadlock, KindLockContention, KindResourceExhausted, KindQueueFull,
	KindExecutorSaturated, KindSingleThreadBlocked, KindMissedSignal, KindVirtualThreadPinned,
	KindSpin, KindHotThread, KindIOWait,
}

// blame is the threads of a finding as sets.
type blame struct {
	culprits, victims map[threadID]bool
	stall, hint       bool
	// closed tells a circle of threads: nothing outside of it is its cause.
	closed bool
}

// threadID identifies a thread over findings: by name where only the JVM's own
// report tells of it.
type threadID struct {
	id, nativeID int64
	name         string
}

func threadIDOf(r ThreadRef) threadID {
	switch {
	case r.ID != 0:
		return threadID{id: r.ID}
	case r.NativeID != 0:
		return threadID{nativeID: r.NativeID}
	}
	return threadID{name: r.Name}
}

func newBlame(f *Finding) blame {
	b := blame{
		culprits: map[threadID]bool{}, victims: map[threadID]bool{},
		stall: slices.Contains(stalls[:], f.Kind), hint: f.Severity == Info,
		closed: f.Kind == KindDeadlock || f.Kind == KindPoolDeadlock,
	}
	for _, r := range f.Culprits {
		b.culprits[threadIDOf(r)] = true
	}
	for _, r := range f.Victims {
		b.victims[threadIDOf(r)] = true
	}
	return b
}

// explains reports that effect is only what follows from b: all whom it blames
// are themselves victims of b, or some and the others are to blame in both. Where
// nobody is threadID, all its victims must be b's.
func (b blame) explains(effect blame) bool {
	if !b.related(effect) {
		return false
	}
	threads := effect.culprits
	if len(threads) == 0 {
		threads = effect.victims
	}
	held := false
	for t := range threads {
		switch {
		case b.victims[t]:
			held = true
		case !b.culprits[t]:
			return false
		}
	}
	return held
}

// saturates tells an executor of one worker that has none left because of what a finding
// says of that worker, which says more.
func (f *Finding) saturates() func(effect *Finding) bool {
	return func(effect *Finding) bool {
		return effect.Kind == KindExecutorSaturated && len(effect.Culprits) == 1 && f.Severity != Info &&
			len(f.Culprits) == 1 && threadIDOf(f.Culprits[0]) == threadIDOf(effect.Culprits[0])
	}
}

// keepsOwner tells the queue for a lock whose owner is one of those that wait for a resource, if it is blamed on
// who has that: several want the resource, so that its being short is the cause.
func (f *Finding) keepsOwner() func(effect *Finding) bool {
	if f.Severity == Info {
		return nil
	}
	mine := newBlame(f)
	return func(effect *Finding) bool {
		return effect.Kind == KindLockContention && len(effect.Culprits) > 0 && allAmong(effect.Culprits, mine.culprits) && anyAmong(effect.Victims, mine.victims)
	}
}

// blamesSame reports that two findings blame the same threads, or the other one
// some of them.
func (b blame) blamesSame(other blame) bool {
	if !b.related(other) || len(other.culprits) == 0 {
		return false
	}
	for t := range other.culprits {
		if !b.culprits[t] {
			return false
		}
	}
	return true
}

// related tells findings of which one may be the cause of the other. A hint never
// is of what is more.
func (b blame) related(effect blame) bool {
	return b.stall && effect.stall && (!b.hint || effect.hint) && (b.closed || !effect.closed)
}

// causes finds for each finding the one that explains it, none if it stands for
// itself. A finding whose culprits are the victims of another is its effect; of
// two that blame the same threads the first explains the other.
func causes(all []candidate) []int {
	blames := make([]blame, len(all))
	for i := range all {
		blames[i] = newBlame(&all[i].Finding)
		blames[i].stall = blames[i].stall && !all[i].elsewhere
	}
	index := indexBlames(blames)
	var behind []int // those that tell of their effects
	for i := range all {
		if all[i].behind != nil {
			behind = append(behind, i)
		}
	}
	by := make([]int, len(all))
	for i := range all {
		by[i] = none
		if at := slices.IndexFunc(behind, func(j int) bool { return all[j].hasBehind(&all[i]) }); at != none {
			by[i] = behind[at]
			continue
		}
		for _, j := range index.explaining(blames[i]) {
			if i != j && !all[i].hasBehind(&all[j]) && blames[j].explains(blames[i]) && (j < i || !blames[i].explains(blames[j])) {
				by[i] = j
				break
			}
		}
		if by[i] != none {
			continue
		}
		for _, j := range index.blaming(blames[i]) {
			before := !all[i].hasBehind(&all[j]) && (j < i || blames[j].closed && !blames[i].closed)
			if i != j && before && blames[j].blamesSame(blames[i]) && !blames[i].explains(blames[j]) {
				by[i] = j
				break
			}
		}
	}
	for i := range by {
		by[i] = root(by, i)
	}
	return by
}

// hasBehind reports that a finding is an effect of the candidate as this one itself tells.
func (c *candidate) hasBehind(effect *candidate) bool {
	return c.behind != nil && c.behind(&effect.Finding)
}

// root follows a chain of causes to its end; one that comes back to where it
// began has no cause.
func root(by []int, i int) int {
	at, steps := by[i], 0
	for at != none && by[at] != none && by[at] != at {
		at = by[at]
		if steps++; at == i || steps > len(by) {
			return none
		}
	}
	return at
}

// asGrave lets a cause be as grave as what it explains.
func asGrave(all []candidate, by []int) {
	for i, r := range by {
		if r != none && severityRank(all[i].Severity) < severityRank(all[r].Severity) {
			all[r].Severity = all[i].Severity
		}
	}
}

// weigh counts the threads that a finding tells of. Those that want for a CPU stand
// behind what any of them does: they are many, and the reason is outside of them.
func weigh(f *Finding) int {
	if f.Kind == KindCPUStarved {
		return 0
	}
	return len(f.Culprits) + len(f.Victims)
}

// explain puts each finding that another one explains behind that one. What
// explains more threads stands first among those of one gravity.
func explain(all []candidate) []Finding {
	by := causes(all)
	weight := make([]int, len(all))
	var roots []int
	for i := range all {
		weight[i] += weigh(&all[i].Finding)
		if by[i] == none {
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
	ordered := make([]Finding, 0, len(all))
	for _, r := range roots {
		ordered = append(ordered, all[r].Finding)
		for _, i := range effects[r] {
			all[i].ExplainedBy = all[r].ID
			ordered = append(ordered, all[i].Finding)
		}
	}
	return ordered
}
