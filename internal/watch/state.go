package watch

import "time"

// overAfter is how long the condition of an event must not hold for the event to be over.
const overAfter = 10 * time.Second

// change is what an evaluation of a condition has changed.
type change int

const (
	none change = iota
	begun
	over
)

// state follows the condition of one trigger: an event begins when the condition holds, and ends when it has not held
// for overAfter.
type state struct {
	active bool
	// since is when the event began, held when its condition was last seen to hold.
	since, held time.Time
}

// step takes the result of one evaluation.
func (s *state) step(now time.Time, holds bool) change {
	switch {
	case holds && !s.active:
		*s = state{active: true, since: now, held: now}
		return begun
	case holds:
		s.held = now
	case s.active && now.Sub(s.held) >= overAfter:
		s.active = false
		return over
	}
	return none
}
