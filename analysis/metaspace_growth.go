package analysis

import (
	"fmt"
	"slices"
	"time"

	"jstall/threaddump"
)

// Thresholds of metaspace-growth.
const (
	// classesLeast is how many classes a second must stay, in every interval.
	classesLeast = 15
	// classesSteady is how much faster the fastest interval may be than the slowest:
	// a leak runs with the work that makes it, a program that starts or meets new code
	// loads in bursts.
	classesSteady = 4
	// loadersAlike is how many loaders of one class may have defined equally many
	// classes: the loaders of plug-ins, which a start makes, differ in that; the same
	// thing loaded again and again does not.
	loadersAlike = 30
)

const (
	// startup is how long after its start a JVM may load classes without end in sight.
	startup = time.Minute
)

// detectMetaspaceGrowth reports classes that become more and more.
//
// Rule: from each dump to the next, three at least, at least 15 classes a second
// are loaded more than are unloaded, and at about the same rate. In a JVM that is
// younger than a minute that may be its start, if it takes much CPU or asks its loaders
// for half of the classes by name, as a start does from a slow disk too: a hint, and nothing if it
// is main that loads them; but not if there are dozens of class loaders of one class with the same number of classes.
func detectMetaspaceGrowth(f *facts) []candidate {
	rates, ok := f.classRates()
	if !ok || !steady(rates) {
		return nil
	}
	first, last, _ := f.counted()
	now, then := classesIn(last), classesIn(first)
	rate := float64(now-then) / f.wall().Value.Seconds()
	result := Finding{
		Severity: Warning, Confidence: Likely,
		Title:    fmt.Sprintf("%.0f classes a second are loaded and stay: %d now", rate, now),
		Advice:   "Look for code that makes classes or class loaders again and again (proxies, scripts, redeployments) and keeps them.",
		Evidence: []Evidence{figure(fmt.Sprintf("classes loaded and not unloaded: %d, then %d", then, now))},
	}
	// The JVM counts it at collections only: that it stands still, or was nothing, tells nothing.
	if used := gained(first.MetaspaceUsed, last.MetaspaceUsed); used.Value > 0 && first.MetaspaceUsed.Value > 0 {
		result.Evidence = append(result.Evidence, figure(fmt.Sprintf("metaspace: %s, then %s",
			megabytes(first.MetaspaceUsed.Value), megabytes(last.MetaspaceUsed.Value))))
	}
	switch l := f.lastLoaders(); {
	case l != nil && l.many():
		result.Evidence = append(result.Evidence, figure(fmt.Sprintf("%d class loaders of class %s, with %d classes; %d of them have equally many", l.Loaders, l.Class, l.Classes, l.Alike)))
	case len(rates) < 2, f.starting() && (f.working() || byName(first, last)):
		result.Severity, result.Confidence = Info, Possible
	}
	f.blameMost(&result, (*history).definedClasses)
	if result.Severity == Info && f.starting() && slices.ContainsFunc(result.Culprits, func(r ThreadRef) bool { return r.Name == "main" }) {
		return nil
	}
	return []candidate{{Finding: result, behind: growsWith(&result)}}
}

// growsWith tells a heap that grows by the same threads' doing: classes that stay keep
// what their loaders made.
func growsWith(classes *Finding) func(*Finding) bool {
	if classes.Severity == Info {
		return nil
	}
	doers := newBlame(classes).culprits
	return func(effect *Finding) bool {
		return effect.Kind == KindHeapGrowth && len(effect.Culprits) > 0 && allAmong(effect.Culprits, doers)
	}
}

// classRates are the classes per second that stayed, for each interval.
func (f *timeline) classRates() (rates []float64, ok bool) {
	var before *snapshot
	for i, s := range f.snaps {
		if s.counters == nil || !s.counters.LoadedClasses.Known || !s.counters.UnloadedClasses.Known {
			return nil, false
		}
		if before != nil {
			wall := f.walls[i-1]
			if !wall.Known || wall.Value <= 0 {
				return nil, false
			}
			rates = append(rates, float64(classesIn(s.counters)-classesIn(before.counters))/wall.Value.Seconds())
		}
		before = s
	}
	return rates, len(rates) > 0
}

func classesIn(c *Counters) int64 { return c.LoadedClasses.Value - c.UnloadedClasses.Value }

// byName reports that the JVM asked its loaders for half of the new classes at least.
// Others come from its own part of the JDK, which what is loaded needs.
func byName(first, last *Counters) bool {
	asked := gained(first.ClassesByName, last.ClassesByName)
	return asked.Known && 2*asked.Value >= classesIn(last)-classesIn(first)
}

func steady(rates []float64) bool {
	least, most := rates[0], rates[0]
	for _, r := range rates {
		least, most = min(least, r), max(most, r)
	}
	return least >= classesLeast && most <= classesSteady*least
}

// starting reports that the JVM is young, or that its age is not known.
func (f *timeline) starting() bool {
	age := f.age()
	return !age.Known || age.Value < startup
}

// startupWork is how much of a core a program that starts wants at least.
const startupWork = 0.6

// working reports that the program wants as much CPU as one that starts, or that
// nothing tells.
func (f *timeline) working() bool {
	sum, told := 0.0, false
	for _, h := range f.threads {
		if w := h.wanted(); h.thread.program() && w.Known {
			sum += w.Value
			told = true
		}
	}
	return !told || sum >= startupWork
}

// age is how long ago the JVM started: that of its oldest thread, or what the
// counters say.
func (f *timeline) age() Opt[time.Duration] {
	oldest := int64(unknown)
	for i := range f.last().samples {
		oldest = max(oldest, f.last().samples[i].elapsed)
	}
	if c := f.last().counters; oldest == unknown && c != nil {
		return c.Uptime
	}
	return duration(oldest)
}

func (f *timeline) lastLoaders() *ClassLoaders {
	for i := len(f.snaps) - 1; i >= 0; i-- {
		if l := f.snaps[i].loaders; l != nil {
			return l
		}
	}
	return nil
}

// many tells loaders that load the same again and again.
func (l *ClassLoaders) many() bool { return l.Alike >= loadersAlike }

// definedClasses is how many classes the thread defined over the capture.
func (h *history) definedClasses() Opt[int64] {
	if h.backwards || len(h.samples) < 2 {
		return Opt[int64]{}
	}
	before, after := h.samples[0].classes, h.last().classes
	if before == unknown || after == unknown || after < before {
		return Opt[int64]{}
	}
	return threaddump.Known(after - before)
}
