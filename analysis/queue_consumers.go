package analysis

import (
	"slices"
	"strings"

	"jstall/threaddump"
)

// consumersOf are the likely consumers of a queue. Where no class tells one, it is the only
// thread in the midst of work beside producers that have nothing but what they were started
// with; or else the only one in their program that pauses again and again in the midst of work.
func (f *facts) consumersOf(at int, producers []*Sample) []*Sample {
	if likely := f.likelyConsumers(at, producers); len(likely) > 0 {
		return likely
	}
	giving := stacksOf(producers)
	var busy, ticking []*Sample
	for i := range f.snaps[at].samples {
		s := &f.snaps[at].samples[i]
		near := mayHold(s) && !slices.Contains(producers, s) && !f.putInLook(s, producers[0]) && !pausesInMain(s.Stack) && !calledByLibrary(s.Stack) &&
			slices.ContainsFunc(giving, func(p *Stack) bool { return sameProgram(p, s.Stack) })
		switch {
		case !near:
		case !f.ticks(at, s):
			busy = append(busy, s)
		case pausesElsewhere(s.Stack):
			ticking = append(ticking, s)
		}
	}
	if working := besideStarts(giving, busy); len(working) == 1 {
		return working
	}
	if len(busy) == 0 && len(ticking) == 1 {
		return ticking
	}
	return nil
}

// besideStarts are those in the midst of work, if the producers have nothing but the method that
// they were started with, by which nobody can be told to belong to them.
func besideStarts(giving []*Stack, busy []*Sample) []*Sample {
	if slices.ContainsFunc(giving, func(p *Stack) bool { return len(inner(p.program())) > 0 }) {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(busy), func(s *Sample) bool { return len(inner(s.Stack.program())) == 0 })
}

// pausesElsewhere tells a thread that sleeps in a call to another class than that it was
// started in, of a method that does more than that by its name: in the midst of what it does
// with an item, as who waits before another try.
func pausesElsewhere(s *Stack) bool {
	own := s.program()
	if s.op.kind != opSleep || len(own) < 2 || own[0].Class == own[len(own)-1].Class {
		return false
	}
	method := strings.ToLower(own[0].Method)
	return !slices.ContainsFunc(pauseNames[:], func(name string) bool { return strings.HasPrefix(method, name) })
}

// sameProgram is as sameHouse, but that what a thread was started with counts.
func sameProgram(a, b *Stack) bool {
	return slices.ContainsFunc(a.program(), func(x *threaddump.Frame) bool {
		return slices.ContainsFunc(b.program(), func(y *threaddump.Frame) bool { return outermost(x.Class) == outermost(y.Class) })
	})
}
