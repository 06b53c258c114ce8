package analysis

import (
	"cmp"
	"slices"
)

// queueTurns is how often in a second a producer may be given a CPU and still be held up: most
// of its time it waits for room, for half a second each time or so: to go to sleep and to wake costs one turn each at least.
const queueTurns = 4

// fullGroups gathers those who wait for room in a queue. Several that the dumps show there
// every time count, too, if room comes slowly: one gets on now and then, and soon waits again.
func (f *facts) fullGroups() []gathering {
	groups := f.gather(fullKey)
	slow := f.slowProducers()
	for _, h := range f.threads { // in one order
		key, ok := slow[h]
		if !ok || gathered(groups, h) {
			continue
		}
		i := slices.IndexFunc(groups, func(g gathering) bool { return g.key == key })
		if i < 0 {
			i = len(groups)
			groups = append(groups, gathering{key: key})
		}
		groups[i].waiters = append(groups[i].waiters, f.standingStill(h))
	}
	slices.SortFunc(groups, func(a, b gathering) int { return cmp.Compare(a.key, b.key) })
	return groups
}

func gathered(groups []gathering, h *history) bool {
	return slices.ContainsFunc(groups, func(g gathering) bool {
		return slices.ContainsFunc(g.waiters, func(s still) bool { return s.history == h })
	})
}

// slowProducers are the threads that wait for room in one of the JDK's queues in every dump and
// seldom run in between, several at one queue, by what they wait for in the last.
func (f *facts) slowProducers() map[*history]string {
	slow, count := map[*history]string{}, map[string]int{}
	for _, h := range f.alive() {
		if key := fullKey(h.last()); key != "" && h.thread.program() && f.isHeldUp(h) {
			slow[h] = key
			count[key]++
		}
	}
	for h, key := range slow {
		if count[key] < 2 {
			delete(slow, h)
		}
	}
	return slow
}

func (f *facts) isHeldUp(h *history) bool {
	last := h.last()
	if len(h.samples) < 3 || len(h.samples) < len(f.snaps) || !h.elapsed.Known || last.turns == unknown || h.samples[0].turns == unknown {
		return false
	}
	return float64(h.turns()) <= queueTurns*h.elapsed.Value.Seconds() && !slices.ContainsFunc(h.samples, func(s *Sample) bool {
		return s.Stack != last.Stack || s.Stack.op.kind != opPut || s.timed()
	})
}
