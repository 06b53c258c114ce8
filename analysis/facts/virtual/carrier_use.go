package virtual

import (
	"jstall/analysis/timeline"
)

// taken are the carriers that their virtual threads keep.
type taken struct {
	Pinned, Busy []Carrier
	// ready are the virtual threads that want a carrier, full tells that none is left.
	Ready []*timeline.Sample
	Full  bool
}

// NobodyRuns reports that virtual threads wait for a carrier, and none is left.
func (t *taken) NobodyRuns() bool { return t.Full && timeline.SizeOf(t.Ready) > 0 }

func TakenCarriers(f *timeline.Timeline) taken {
	all := carriers(f)
	t := taken{Ready: readyVirtual(f, all)}
	for _, c := range all {
		switch {
		case c.Pinned:
			t.Pinned = append(t.Pinned, c)
		case c.computes:
			t.Busy = append(t.Busy, c)
		}
	}
	t.Full = takeAll(f, all, t.Pinned, t.Busy, t.Ready)
	return t
}

// takeAll reports that no carrier is left: none idle, and as many as there are cores
// or threads that want one; the scheduler makes them as they are needed.
func takeAll(f *timeline.Timeline, all, pinned, busy []Carrier, ready []*timeline.Sample) bool {
	if f.Last().Cut { // a carrier that is free may be among what is lost
		return false
	}
	if len(all) == 0 || len(pinned)+len(busy) < len(all) || hasIdleCarrier(f, all) {
		return false
	}
	return len(ready) > 0 || f.Cores() > 0 && float64(len(all)) >= f.Cores()
}
