package recorded

import (
	"fmt"
	"slices"
	"time"

	"github.com/jstall/jstall/analysis/finding"
	"github.com/jstall/jstall/analysis/flight"
)

// start is the JVM's first minute, in which it starts and compiles, and pools fill.
const start = time.Minute

// ownCPU measures the times in which the JVM used so much of the CPUs for ten seconds, without its first minute.
func ownCPU(r *flight.Recording, noticed float64) []figure {
	when := flight.Lasting(r.OwnCPU, func(i int) bool { return r.OwnCPU[i].Value >= noticed })
	return lasting(slices.DeleteFunc(when, func(s flight.Spell) bool { return s.To < r.JVM.Started.Add(start) }))
}

// othersCPU measures the times in which so much of the CPUs was in use for ten seconds, at most half of it by the JVM:
// the others have more of it.
func othersCPU(r *flight.Recording, noticed float64) []figure {
	const half = 0.5
	if len(r.OwnCPU) != len(r.AllCPU) {
		return nil
	}
	return lasting(flight.Lasting(r.AllCPU, func(i int) bool {
		return r.AllCPU[i].Value >= noticed && r.OwnCPU[i].Value <= half*r.AllCPU[i].Value
	}))
}

// hotMethods are the words of a JVM that used the CPUs, with the methods that most samples show then.
func hotMethods(f figure) finding.Candidate {
	used := finding.Percent(f.size) + " of the CPUs"
	if n := f.JVM.CPUs; n > 0 {
		used = fmt.Sprintf("%.1f of %s", f.size*float64(n), finding.Counted(n, "CPU"))
	}
	c := words(fmt.Sprintf("the JVM used %s, %s", used, f.When(f.when[:1])),
		"the JVM used "+used+", "+f.When(f.when))
	all := 0.0
	for _, m := range f.Methods {
		all += m.Samples.Within(f.when)
	}
	for i, m := range f.Methods {
		const much = 0.1 // of the samples: worth a line
		part := m.Samples.Within(f.when) / max(1, all)
		if part < much {
			continue
		}
		text := fmt.Sprintf("%s of the samples are in %s", finding.Percent(part), m.Frame)
		if i == 0 {
			c.Title += "; " + text
		}
		c.Evidence = append(c.Evidence, finding.Figure(text))
	}
	return c
}

// meanIn is the mean of the points in a spell.
func meanIn(points []flight.Point, s flight.Spell) float64 {
	outside := func(p flight.Point) bool { return p.At < s.From || p.At > s.To }
	return mean(slices.DeleteFunc(slices.Clone(points), outside))
}

func mean(points []flight.Point) float64 {
	sum := 0.0
	for _, p := range points {
		sum += p.Value
	}
	return sum / float64(max(1, len(points)))
}
