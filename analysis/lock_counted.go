package analysis

import (
	"fmt"

	"jstall/threaddump"
)

// countedContention reports locks of which the dump says how many threads wait for them,
// although it does not list these: Arthas prints the owner alone ("thread -b").
func (f *facts) countedContention() []candidate {
	var found []candidate
	listed := map[uint64]bool{}
	for i := range f.last().samples {
		if l := f.last().samples[i].waitsOn(); l != nil {
			listed[l.address] = true
		}
	}
	for _, h := range f.alive() {
		owner := h.last()
		for i := range owner.locks {
			l := &owner.locks[i]
			if l.op == threaddump.Locked && l.blocks > 0 && !listed[l.address] {
				found = append(found, f.countedBehind(owner, l))
			}
		}
	}
	return found
}

func (f *facts) countedBehind(owner *Sample, l *lock) candidate {
	n := int(l.blocks)
	result := Finding{
		Severity: Info, Confidence: Possible,
		Title: fmt.Sprintf("%s %s for %s held by %s, which %s; the dump does not list the waiters",
			Counted(n, "thread"), verb(n, "waits", "wait"), lockWords(l.class), owner.Thread.called(), f.phrase(owner)),
		Advice:   "Do not wait while holding this lock: set a timeout on the call of the owner.",
		Resource: &Resource{Type: "monitor", Class: l.class, Address: hex(l.address)},
		Culprits: f.refs([]*Sample{owner}), Evidence: []Evidence{f.quoteLock(len(f.snaps)-1, l)},
	}
	if limitOf(owner) == byOthers {
		result.Severity, result.Confidence = Warning, Likely
	}
	return candidate{Finding: result}
}
