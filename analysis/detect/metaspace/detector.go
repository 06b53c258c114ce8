// Package metaspace finds classes loaded without end.
package metaspace

import (
	"slices"
	"time"

	"github.com/jstall/jstall/analysis/detect"
	"github.com/jstall/jstall/analysis/facts"
	"github.com/jstall/jstall/analysis/facts/cpu"
	"github.com/jstall/jstall/analysis/facts/memory"
	"github.com/jstall/jstall/analysis/finding"
	"github.com/jstall/jstall/analysis/timeline"
	"github.com/jstall/jstall/threaddump"
)

// Thresholds of metaspace-growth.
const (
	// classesLeast is the number of classes per second that must stay, in every interval.
	classesLeast = 15
	// classesSteady is how much faster the fastest interval may be than the slowest: a leak is as steady as the work
	// that causes it, while a program that starts or runs new code loads classes in bursts.
	classesSteady = 4
	// longGrowth is how long the number of classes must grow for a warning without such loaders: the first work of a
	// server loads classes too, at a steady rate for a while.
	longGrowth = time.Minute
	// loadersAlike is the number of loaders of one class that may have defined the same number of classes. The loaders
	// of plug-ins, which a start makes, differ in that number; loaders that load the same classes repeatedly do not.
	loadersAlike = 30
)

// Detector reports classes that are loaded without end.
var Detector = detect.Detector{
	Kind: finding.KindMetaspaceGrowth,
	Doc:  "classes that are loaded without end",
	Run:  run,
}

// run reports a number of classes that keeps growing.
//
// Rule: in each interval of at least three dumps, at least 15 more classes per second are loaded than unloaded, at
// about the same rate. That is a hint, and it is nothing before the JVM has used a minute of CPU time, because its
// start and the first work of a server load classes too. It is a warning over a minute, or if there are dozens of class
// loaders of one class with the same number of classes. In the first minute of a JVM it is nothing if main loads the
// classes.
func run(f *facts.Facts) []finding.Candidate {
	rates, ok := classRates(f.Timeline)
	if !ok || !steady(rates) {
		return nil
	}
	first, last, _ := f.Timeline.Counted()
	now, then := classesIn(last), classesIn(first)
	rate := float64(now-then) / f.Timeline.Wall().Value.Seconds()
	result := finding.Finding{
		Severity: finding.Warning, Confidence: finding.Likely,
		Title: title(rate, now), Advice: advice, Evidence: []finding.Evidence{classesEvidence(then, now)},
	}
	// The JVM updates the figure only at garbage collections: an unchanged figure, or zero, proves nothing.
	if used := timeline.Gained(first.MetaspaceUsed, last.MetaspaceUsed); used.Value > 0 &&
		first.MetaspaceUsed.Value > 0 {
		result.Evidence = append(result.Evidence,
			metaspaceEvidence(first.MetaspaceUsed.Value, last.MetaspaceUsed.Value))
	}
	switch l := lastLoaders(f.Timeline); {
	case l != nil && many(l):
		result.Evidence = append(result.Evidence,
			loadersEvidence(l))
	case len(rates) < 2, f.Timeline.Wall().Value < longGrowth, memory.Starting(f.Timeline):
		result.Severity, result.Confidence = finding.Info, finding.Possible
	}
	cpu.BlameTopThreads(f.Timeline, &result, definedClasses)
	begins := memory.InFirstWork(f.Timeline) || memory.Starting(f.Timeline) && byMain(&result)
	if result.Severity == finding.Info && begins {
		return nil
	}
	return []finding.Candidate{{Finding: result, Behind: growsWith(&result)}}
}

// byMain reports that main loads the classes.
func byMain(classes *finding.Finding) bool {
	return slices.ContainsFunc(classes.Culprits, func(r finding.ThreadRef) bool { return r.Name == "main" })
}

// growsWith reports whether a heap grows by the same threads' work: classes that stay keep objects of their loaders.
func growsWith(classes *finding.Finding) func(*finding.Finding) bool {
	if classes.Severity == finding.Info {
		return nil
	}
	doers := finding.NewBlame(classes).Culprits
	return func(effect *finding.Finding) bool {
		return effect.Kind == finding.KindHeapGrowth && len(effect.Culprits) > 0 &&
			finding.AllAmong(effect.Culprits, doers)
	}
}

// classRates returns the classes per second that stayed, for each interval.
func classRates(f *timeline.Timeline) (rates []float64, ok bool) {
	var before *timeline.Snapshot
	for i, s := range f.Snaps {
		if s.Counters == nil || !s.Counters.LoadedClasses.Known || !s.Counters.UnloadedClasses.Known {
			return nil, false
		}
		if before != nil {
			wall := f.Walls[i-1]
			if !wall.Known || wall.Value <= 0 {
				return nil, false
			}
			rates = append(rates, float64(classesIn(s.Counters)-classesIn(before.Counters))/wall.Value.Seconds())
		}
		before = s
	}
	return rates, len(rates) > 0
}

func classesIn(c *timeline.Counters) int64 { return c.LoadedClasses.Value - c.UnloadedClasses.Value }

func steady(rates []float64) bool {
	least, most := rates[0], rates[0]
	for _, r := range rates {
		least, most = min(least, r), max(most, r)
	}
	return least >= classesLeast && most <= classesSteady*least
}

func lastLoaders(f *timeline.Timeline) *timeline.ClassLoaders {
	for i := len(f.Snaps) - 1; i >= 0; i-- {
		if l := f.Snaps[i].Loaders; l != nil {
			return l
		}
	}
	return nil
}

// many reports whether the loaders load the same classes repeatedly.
func many(l *timeline.ClassLoaders) bool { return l.Alike >= loadersAlike }

// definedClasses is how many classes the thread defined over the capture.
func definedClasses(h *timeline.History) timeline.Opt[int64] {
	if h.Backwards || len(h.Samples) < 2 {
		return timeline.Opt[int64]{}
	}
	before, after := h.Samples[0].Classes, h.Last().Classes
	if before == timeline.Unknown || after == timeline.Unknown || after < before {
		return timeline.Opt[int64]{}
	}
	return threaddump.Known(after - before)
}
