package analysis

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"jstall/threaddump"
)

// joinable are the threads that one in Thread.join may be waiting for. The dump
// names the class of the thread object: those of it that have a run method of
// their own show it at the bottom, and where nobody does they have inherited one. Nobody
// joins the main thread or a worker of an executor while there are others.
func (h *hidden) joinable(i int) []int {
	class := h.snap.samples[i].waitsOn().class
	var able, heirs, main []int
	for j := range h.snap.samples {
		s := &h.snap.samples[j]
		n := len(s.Stack.Frames)
		if j == i || n == 0 || s.Thread.Role != threaddump.Application {
			continue
		}
		bottom := s.Stack.Frames[n-1]
		switch {
		case class == "java.lang.Thread" && bottom.Method == "main":
			main = append(main, j)
		case bottom.Class == class && s.Stack.root == nil:
			able = append(able, j)
		case bottom.Method == "run" && s.Stack.root == nil:
			heirs = append(heirs, j)
		}
	}
	switch {
	case len(able) > 0:
		return able
	case len(heirs) > 0:
		return heirs
	}
	return main
}

// mostJoined is for how many threads that are joined it is looked who each of them is.
const mostJoined = 8

// joinedOnes says, of those that join and are stuck, whom each may be waiting for: who joins
// one object waits for one thread, who joins another for another, and nobody for itself.
// Where more is possible, a thread that is called like the object's class comes first, then
// the oldest. Nil where no such choice is left, or there are too many.
func (h *hidden) joinedOnes() map[int]int {
	joiners, able := map[uint64][]int{}, map[uint64][]int{}
	for i := range h.snap.samples {
		s := &h.snap.samples[i]
		if h.able[i] == nil || s.Stack.op.kind != opJoin || h.next(i) != none {
			continue
		}
		address := s.waitsOn().address
		if joiners[address] == nil {
			able[address] = h.likeNamedFirst(h.able[i], s.waitsOn().class)
		}
		able[address] = slices.DeleteFunc(able[address], func(j int) bool { return !slices.Contains(h.able[i], j) })
		joiners[address] = append(joiners[address], i)
	}
	if len(joiners) > mostJoined {
		return nil
	}
	addresses := slices.SortedFunc(maps.Keys(joiners), func(a, b uint64) int { // least choice first: it soon ends
		return cmp.Or(len(able[a])-len(able[b]), h.older(joiners[a][0], joiners[b][0]))
	})
	chosen := map[uint64]int{}
	if !chooseJoined(addresses, able, chosen, map[int]bool{}) {
		return nil
	}
	joined := map[int]int{}
	for address, j := range chosen {
		for _, i := range joiners[address] {
			joined[i] = j
		}
	}
	return joined
}

// chooseJoined chooses a thread for each of some objects, other ones than are chosen.
func chooseJoined(addresses []uint64, able map[uint64][]int, chosen map[uint64]int, taken map[int]bool) bool {
	if len(addresses) == 0 {
		return true
	}
	address := addresses[0]
	for _, j := range able[address] {
		if taken[j] {
			continue
		}
		chosen[address], taken[j] = j, true
		if chooseJoined(addresses[1:], able, chosen, taken) {
			return true
		}
		taken[j] = false
	}
	return false
}

// likeNamedFirst sorts threads: those with the simple name of a class, then the oldest.
func (h *hidden) likeNamedFirst(threads []int, class string) []int {
	sorted := slices.Clone(threads)
	slices.SortFunc(sorted, func(a, b int) int {
		return cmp.Or(one(h.calledLike(b, class))-one(h.calledLike(a, class)), h.older(a, b))
	})
	return sorted
}

// calledLike reports that a thread has the simple name of a class.
func (h *hidden) calledLike(i int, class string) bool {
	return strings.EqualFold(h.snap.samples[i].Thread.Name, class[strings.LastIndexAny(class, ".$")+1:])
}

// detectHoldingJoins reports a thread that waits in Thread.join while one other
// waits for a lock that it holds: whose end it waits for no line says, and if it
// is that one's, neither goes on. (Of several waiters lock-contention tells.)
func (f *facts) detectHoldingJoins() []candidate {
	at := len(f.snaps) - 1
	h := hidden{graph: f.graph(at)}
	behind := map[int][]int{}
	for _, i := range h.waiting {
		if owner := h.next(i); owner != none && h.ends[i].cycle == none {
			behind[owner] = append(behind[owner], i)
		}
	}
	var found []candidate
	for i := range h.snap.samples {
		s := &h.snap.samples[i]
		if s.Stack.op.kind != opJoin || s.timed() || len(behind[i]) != 1 || !s.waitsHidden() {
			continue
		}
		other := &h.snap.samples[behind[i][0]]
		pair := []*Sample{s, other}
		if slices.Contains(h.joinable(i), behind[i][0]) && f.allStandStill(pair) {
			found = append(found, f.holdingJoin(at, pair))
		}
	}
	return found
}

func (f *facts) allStandStill(threads []*Sample) bool {
	return !slices.ContainsFunc(threads, func(s *Sample) bool { return !f.standingStill(f.history(s)).long() })
}

func (f *facts) holdingJoin(at int, pair []*Sample) candidate {
	joiner, other := pair[0].Thread.called(), pair[1].Thread.called()
	finding := Finding{
		Severity: Warning, Confidence: Possible,
		Title: joiner + " waits for a thread to end and holds what " + other +
			" waits for; if it is that one, they block each other for ever",
		Advice:   "Do not join a thread while holding what it needs to end.",
		Culprits: f.refs(pair), Resource: atResource("thread", pair[0]),
	}
	for _, s := range pair {
		finding.Evidence = append(finding.Evidence, f.quoteLock(at, s.waitsOn()))
	}
	return candidate{Finding: finding}
}

// joinsNobody tells a thread that joins a plain java.lang.Thread where there is no other
// that somebody may wait for: as one that joins itself, to stay for good. Workers of
// executors and the loops of servers are never waited for so.
func (f *facts) joinsNobody(joiner *history) bool {
	l := joiner.last().waitsOn()
	if l == nil || l.class != "java.lang.Thread" {
		return false
	}
	return !slices.ContainsFunc(f.alive(), func(h *history) bool {
		s := h.last()
		if h == joiner || h.thread.Role != threaddump.Application || len(s.Stack.Frames) == 0 || isTask(s.Stack) || h.surelyIdle() || h.onlyServes() {
			return false
		}
		bottom := s.Stack.Frames[len(s.Stack.Frames)-1]
		return bottom.Method == "main" || bottom.Class == l.class
	})
}
