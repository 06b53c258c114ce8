package virtual

import (
	"jstall/analysis/timeline"
)

// CarrierUse is which carriers are taken, and who waits for one.
type CarrierUse struct {
	Pinned, Busy []Carrier
	// Ready are the virtual threads that want a carrier, Full tells that none is left.
	Ready []*timeline.Sample
	Full  bool
}

// NoneFree reports that virtual threads wait for a carrier, and none is left.
func (t *CarrierUse) NoneFree() bool { return t.Full && timeline.SizeOf(t.Ready) > 0 }

// TakenCarriers finds which carriers are taken at the end of the capture.
func TakenCarriers(f *timeline.Timeline) CarrierUse {
	all := carriers(f)
	t := CarrierUse{Ready: readyVirtual(f, all)}
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
