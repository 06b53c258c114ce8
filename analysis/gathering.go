package analysis

import (
	"cmp"
	"slices"

	"jstall/threaddump"
)

// gathering is threads of the program that stand and wait, to the end of the capture,
// for the same thing.
type gathering struct {
	key     string
	waiters []still
}

// gather groups the threads of the last dump that stand by what they wait for; an
// empty key leaves a thread out. The groups are in the order of their keys.
func (f *timeline) gather(key func(*Sample) string) []gathering {
	byKey := map[string]*gathering{}
	for _, h := range f.alive() {
		s := h.last()
		if s.Thread.Role != threaddump.Application || !s.waits() || h.idle() && !mainAtWork(s) || h.pausesAtWork() {
			continue
		}
		k := key(s)
		st := f.standingStill(h)
		if k == "" || len(f.snaps) > 1 && !st.long() {
			continue
		}
		if byKey[k] == nil {
			byKey[k] = &gathering{key: k}
		}
		byKey[k].waiters = append(byKey[k].waiters, st)
	}
	groups := make([]gathering, 0, len(byKey))
	for _, g := range byKey {
		groups = append(groups, *g)
	}
	slices.SortFunc(groups, func(a, b gathering) int { return cmp.Compare(a.key, b.key) })
	return groups
}

// pausesAtWork tells a thread that parks itself for some time between two pieces of work.
func (h *history) pausesAtWork() bool {
	return h.last().Stack.op.kind == opPark && h.last().timed() && (h.works() || h.makesEachTurn())
}

// madeEachTurn is what a thread may allocate each time that it looks whether something has come:
// a boxed number or an iterator.
const madeEachTurn = 128

// makesEachTurn reports that a thread has loaded classes in the capture, or made more objects each
// time that it was given a CPU than who only looks for something.
func (h *history) makesEachTurn() bool {
	first, last := h.samples[0], h.last()
	if first.classes != unknown && last.classes > first.classes {
		return true
	}
	turns := h.turns()
	return turns > 0 && h.allocated.Known && h.allocated.Value > madeEachTurn*turns
}

// waits tells a thread that has given up its CPU for something to come.
func (s *Sample) waits() bool {
	return s.State == threaddump.Waiting || s.State == threaddump.TimedWaiting
}

func (g gathering) samples() []*Sample {
	samples := make([]*Sample, len(g.waiters))
	for i, w := range g.waiters {
		samples[i] = w.last()
	}
	return inNameOrder(samples)
}

// object is the address of what a thread waits at, else the method that waits: the
// same object may have moved, but only between two dumps.
func (s *Sample) object() string {
	if l := s.waitsOn(); l != nil && l.address != 0 {
		return hex(l.address)
	}
	if c := s.Stack.op.caller; c != nil {
		return c.Name()
	}
	return ""
}

// waitEvidence quotes where the first thread waits in the application, and what the
// first few wait at.
func (f *timeline) waitEvidence(at int, threads []*Sample) []Evidence {
	const shown = 3
	quotes := f.standEvidence(at, threads[:min(1, len(threads))])
	for _, s := range threads[:min(shown, len(threads))] {
		if l := s.waitsOn(); l != nil {
			quotes = append(quotes, f.quoteLock(at, l))
		}
	}
	return quotes
}

// atResource names the object that threads wait at; empty where the dump does not.
func atResource(kind string, s *Sample) *Resource {
	r := &Resource{Type: kind}
	if l := s.waitsOn(); l != nil {
		r.Class = l.class
		if l.address != 0 {
			r.Address = hex(l.address)
		}
	}
	return r
}
