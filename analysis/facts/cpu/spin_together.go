package cpu

import (
	"slices"
	"strings"

	"jstall/analysis/stack"
	"jstall/analysis/timeline"
)

// Thresholds of threads that step aside for each other.
const (
	// companionWish is the part of a core that a companion of a spinner wants at least: it
	// sleeps now and then where the other has what it wants.
	companionWish = 0.3
	// asideAllocation is what they may allocate in a second: each lock that one of them
	// loses, a hundred thousand in a second, makes a node.
	asideAllocation = 16 << 20
)

// asides is what the dumps show of the threads at one work, each of them rarely seen to ask.
type asides struct {
	// askers are seen to ask and make next to nothing; they are in so many dumps, and so
	// many show one asking.
	askers, askersDumps, asked int
	// threads are all of them, in so many dumps.
	threads, dumps int
	// stepping counts the dumps that show one giving way or trying a lock, locking those
	// that show one at a lock.
	stepping, locking int
	// busy tells that one of them wants what a spinner wants.
	busy bool
}

func (a *asides) add(s Spinner) {
	if s.asksIdly() {
		a.askers++
		a.askersDumps += len(s.H.Samples)
		a.asked += s.times
	}
	if s.times > 0 && MayTryLocks(s) {
		a.stepping += s.times
	}
	for _, at := range s.H.Samples {
		if askedIn(at) == "" && locks(at.Stack) {
			a.locking++
		}
	}
	a.threads++
	a.dumps += len(s.H.Samples)
	a.busy = a.busy || s.H.Wanted().Value >= SpinWish
}

// ask reports that they are seen to ask often enough if they are taken for one.
func (a *asides) ask() bool {
	return a.askers >= 2 && a.asked >= SpinDumps && 3*a.asked >= a.askersDumps
}

// stepAside is the same for those who try locks and give way: in between they lose locks
// and hand them on.
func (a *asides) stepAside() bool {
	seen := a.stepping + a.locking
	return a.busy && a.threads >= 2 && a.stepping > 0 && seen >= SpinDumps && 3*seen >= a.dumps
}

// together are the spinners, each of them rarely seen to ask, that step aside for each
// other: they are seen at the same work.
func together(rare []Spinner) []Spinner {
	byWork := map[string]*asides{}
	for _, s := range rare {
		for _, work := range s.works() {
			if byWork[work] == nil {
				byWork[work] = &asides{}
			}
			byWork[work].add(s)
		}
	}
	return slices.DeleteFunc(rare, func(s Spinner) bool {
		return s.times == 0 || !slices.ContainsFunc(s.works(), func(work string) bool {
			a := byWork[work]
			return s.asksIdly() && a.ask() || MayTryLocks(s) && a.stepAside()
		})
	})
}

// asksIdly reports that a spinner is seen to ask, and makes next to nothing.
func (s *Spinner) asksIdly() bool {
	return s.times > 0 && s.H.Wanted().Value >= SpinWish && !Allocates(s.H, SpinAllocation)
}

// works are what the spinner is seen at.
func (s *Spinner) works() []string {
	var all []string
	for _, at := range s.H.Samples {
		if work := at.Stack.Work(); !slices.Contains(all, work) {
			all = append(all, work)
		}
	}
	return all
}

// locks reports that the JDK's frames on top of a stack take or release a lock of
// java.util.concurrent.
func locks(s *stack.Stack) bool {
	for _, fr := range s.Frames {
		if !stack.IsJDK(fr) {
			return false
		}
		if strings.HasPrefix(fr.Class, stack.JUC+"locks.Reentrant") {
			return true
		}
	}
	return false
}

// WithCompanions adds threads that burn CPU at the same work as a spinner: of two that step
// aside for one another, the dumps may show one asking and one at it, or, where they try
// locks and give way, either of them at either. What these allocate does not matter:
// whoever loses a lock makes more nodes than who wins it.
func WithCompanions(f *timeline.Timeline, all []Spinner) []Spinner {
	if len(all) == 0 {
		return nil
	}
	known := map[*timeline.History]bool{}
	byWork, aside := map[string]Spinner{}, map[string]Spinner{}
	for _, s := range all {
		known[s.H] = true
		byWork[s.Sample.Stack.Work()] = s
		if !MayTryLocks(s) {
			continue
		}
		for _, work := range s.works() {
			aside[work] = s
		}
	}
	for _, h := range f.Alive() {
		wants := h.Wanted()
		if known[h] || !h.Thread.Program() || !wants.Known || wants.Value < companionWish {
			continue
		}
		d := h.Dominant()
		if s, same := byWork[d.Stack.Work()]; same && wants.Value >= SpinWish {
			all = append(all, Spinner{H: h, Sample: d, Asks: s.Asks, Idles: s.Idles})
			continue
		}
		for _, at := range h.Samples {
			if s, same := aside[at.Stack.Work()]; same {
				all = append(all, Spinner{H: h, Sample: at, With: s.Sample, Asks: s.Asks, Idles: s.Idles})
				break
			}
		}
	}
	return all
}
