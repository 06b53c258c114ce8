package facts

import (
	"cmp"
	"slices"
	"time"

	"github.com/jstall/jstall/analysis/flight"
	"github.com/jstall/jstall/internal/order"
)

// maxParts bounds the parts of a series, maxPoints the points of a gauge: an hour by the second.
const (
	maxParts  = 4096
	maxPoints = 8192
)

// series sums amounts by the second, or by longer parts where they are too many.
type series struct {
	width time.Duration
	sums  map[int64]float64
}

func newSeries() *series { return &series{width: time.Second, sums: map[int64]float64{}} }

// add spreads an amount evenly over a time.
func (s *series) add(from, to flight.Moment, amount float64) {
	if from < 0 || to < from {
		return
	}
	for int64(to)/int64(s.width)-int64(from)/int64(s.width) > maxParts/2 {
		s.widen()
	}
	whole := max(1, float64(to-from))
	for at := int64(from) / int64(s.width); ; at++ {
		begin, end := max(int64(from), at*int64(s.width)), min(int64(to), (at+1)*int64(s.width))
		share := float64(end-begin) / whole
		if from == to {
			share = 1
		}
		if share > 0 {
			s.sums[at] += amount * share
		}
		if (at+1)*int64(s.width) >= int64(to) {
			break
		}
	}
	for len(s.sums) > maxParts {
		s.widen()
	}
}

func (s *series) widen() {
	wider := make(map[int64]float64, len(s.sums)/2+1)
	for at, sum := range s.sums {
		wider[at/2] += sum
	}
	s.width, s.sums = 2*s.width, wider
}

func (s *series) made() flight.Series {
	made := flight.Series{Width: s.width}
	for at, sum := range s.sums {
		made.Parts = append(made.Parts, flight.Part{At: at, Sum: sum})
	}
	order.Sort(made.Parts, func(a, b flight.Part) int { return cmp.Compare(a.At, b.At) })
	return made
}

// gauge keeps values with their moments. Of too many it keeps every second one, of all gauges that are filled together
// the same ones.
type gauge struct {
	points []flight.Point
	// every is the step between the values that are kept.
	every, seen int
}

func (g *gauge) add(at flight.Moment, value float64) {
	g.every = max(1, g.every)
	if g.seen++; (g.seen-1)%g.every != 0 {
		return
	}
	g.points = append(g.points, flight.Point{At: at, Value: value})
	if len(g.points) < maxPoints {
		return
	}
	for i := range len(g.points) / 2 {
		g.points[i] = g.points[2*i]
	}
	g.points, g.every = g.points[:len(g.points)/2], 2*g.every
}

func (g *gauge) made() []flight.Point {
	points := slices.Clone(g.points)
	order.SortStable(points, func(a, b flight.Point) int { return cmp.Compare(a.At, b.At) })
	return points
}
