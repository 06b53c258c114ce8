package flight

import (
	"cmp"
	"slices"
	"time"
)

// Moment is a time in nanoseconds since 1970, in UTC.
type Moment int64

// Sub is the time from another moment to this one.
func (m Moment) Sub(other Moment) time.Duration { return time.Duration(m - other) }

// Add is the moment some time later.
func (m Moment) Add(d time.Duration) Moment { return m + Moment(d) }

// Series is a sum for each part of the time: those of no sum are left out.
type Series struct {
	// Width is how long a part is: a second, or more of a long recording.
	Width time.Duration `json:"width,omitempty"`
	// Parts are in the order of time.
	Parts []Part `json:"parts,omitempty"`
}

// Part is one part of the time: it begins at At times the width, counted from 1970.
type Part struct {
	At  int64   `json:"at"`
	Sum float64 `json:"sum"`
}

// Spell is a time in which something went on.
type Spell struct {
	From, To Moment
	// Sum is what the parts in it have together, Most the most that one window has.
	Sum, Most float64
}

// window is the time over which losses are judged. Shorter ones are the jitter of a busy machine; a person who waits
// for an answer notices the loss of a second in ten.
const window = 10 * time.Second

// Spells are the times whose every window has a sum of at least so much a second. A window is longer than [Window] only
// if the parts are.
func (s Series) Spells(perSecond float64) []Spell {
	if s.Width <= 0 {
		return nil
	}
	parts := max(1, int64(window/s.Width))
	window := s.Width * time.Duration(parts)
	least := perSecond * window.Seconds()
	var found []Spell
	sum, begin, told := 0.0, 0, 0
	for i, p := range s.Parts {
		sum += p.Sum
		for ; s.Parts[begin].At <= p.At-parts; begin++ {
			sum -= s.Parts[begin].Sum
		}
		const rounding = 1e-9
		if sum < least-rounding {
			continue
		}
		first := max(begin, told) // a part belongs to one spell
		n := len(found)
		from, to := s.begin(s.Parts[begin]), s.begin(p).Add(s.Width)
		if n == 0 || from > found[n-1].To {
			found = append(found, Spell{From: from})
			n++
		}
		last := &found[n-1]
		last.To, last.Most = to, max(last.Most, sum)
		for _, q := range s.Parts[first : i+1] {
			last.Sum += q.Sum
		}
		told = i + 1
	}
	return found
}

func (s Series) begin(p Part) Moment { return Moment(p.At * int64(s.Width)) }

// Most is the most that a window has, by the second.
func (s Series) Most() float64 {
	most := 0.0
	for _, spell := range s.Spells(0) {
		most = max(most, spell.Most)
	}
	return most / max(window, s.Width).Seconds()
}

// Within is the sum of the parts that lie in spells.
func (s Series) Within(spells []Spell) float64 {
	sum := 0.0
	for _, p := range s.Parts {
		at := s.begin(p)
		begin := func(sp Spell, at Moment) int { return cmp.Compare(sp.From, at) }
		i, exact := slices.BinarySearchFunc(spells, at, begin)
		if exact || i > 0 && at < spells[i-1].To {
			sum += p.Sum
		}
	}
	return sum
}

// Lasting are the times of at least a [Window] in which each of the points fits. Sum is the mean of the points, Most
// the largest of them.
func Lasting(points []Point, fits func(i int) bool) []Spell {
	var found []Spell
	for i := 0; i < len(points); i++ {
		if !fits(i) {
			continue
		}
		begin := i
		spell := Spell{From: points[i].At}
		for ; i < len(points) && fits(i); i++ {
			spell.Sum += points[i].Value
			spell.Most = max(spell.Most, points[i].Value)
			spell.To = points[i].At
		}
		spell.Sum /= float64(i - begin) // the mean
		if spell.To.Sub(spell.From) >= window {
			found = append(found, spell)
		}
	}
	return found
}

// Worst is the spell with the largest sum, the first of equal ones. There must be at least one.
func Worst(spells []Spell) Spell {
	return slices.MaxFunc(spells, func(a, b Spell) int { return cmp.Compare(a.Sum, b.Sum) })
}
