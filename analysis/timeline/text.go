package timeline

import (
	"fmt"

	"jstall/analysis/finding"
	"jstall/threaddump"
)

// Called is the thread's name in quotes, of a virtual thread without one "virtual #31".
func (t *Thread) Called() string {
	if t.Virtual && t.Name == "" {
		return fmt.Sprintf("virtual #%d", t.ID)
	}
	return finding.QuoteName(t.Name)
}

// QuoteThreads lists threads as quoteNames does names.
func QuoteThreads(samples []*Sample) string {
	quoted := make([]string, len(samples))
	for i, s := range samples {
		quoted[i] = s.Thread.Called()
	}
	return finding.Listed(quoted)
}

// Text is the lock's line as HotSpot prints it: with the object's address in a
// text dump, with its identity hash in a dump that Java code wrote.
func (l *Lock) Text(instant bool) string {
	object := fmt.Sprintf("<%s> (a %s)", finding.Hex(l.Address), l.Class)
	if !instant {
		object = fmt.Sprintf("<%s@%x>", l.Class, l.Address)
	}
	switch l.Op {
	case threaddump.WaitingToLock:
		return "- waiting to lock " + object
	case threaddump.WaitingOn:
		if l.Address == 0 {
			return "- waiting on <no object reference available>"
		}
		return "- waiting on " + object
	case threaddump.WaitingToRelock:
		return "- waiting to re-lock in wait() " + object
	case threaddump.Parking:
		if !instant {
			return "- parking to wait for " + object
		}
		return "- parking to wait for  " + object
	case threaddump.Locked:
		return "- locked " + object
	case threaddump.Eliminated:
		if l.Address == 0 {
			return "- eliminated <owner is scalar replaced> (a " + l.Class + ")"
		}
		return "- eliminated " + object
	case threaddump.OwnsSynchronizer:
		return "- " + object
	case threaddump.WaitingForClassInit:
		return "- waiting on the Class initialization monitor for " + l.Class
	}
	return "- " + l.Class
}
