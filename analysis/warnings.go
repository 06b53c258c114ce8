package analysis

import (
	"fmt"
	"slices"
	"strings"

	"github.com/jstall/jstall/analysis/facts/locks"
	"github.com/jstall/jstall/analysis/finding"
	"github.com/jstall/jstall/analysis/timeline"
	"github.com/jstall/jstall/threaddump"
)

// warnings are what a reader must know about the dumps before believing the rest.
func warnings(f *timeline.Timeline) []string {
	for _, s := range f.Snaps {
		if len(s.Samples) == 0 {
			f.Warn("%s has no threads", s.Label())
		}
	}
	warnComings(f)
	warnBackwards(f)
	warnUnknownCPU(f)
	return f.Warnings
}

// warnComings warns about platform threads of the application that started or ended during the capture. Virtual threads
// and the JVM's own threads do so all the time.
func warnComings(f *timeline.Timeline) {
	var started, ended []string
	last := len(f.Snaps) - 1
	for _, h := range f.Threads {
		if h.Thread.Role != threaddump.Application || h.Thread.Virtual {
			continue
		}
		if h.At[0] > 0 && locks.Whole(f.Snaps[h.At[0]-1]) {
			started = append(started, h.Thread.Called())
		}
		if at := h.LastAt(); at < last && locks.Whole(f.Snaps[at+1]) {
			ended = append(ended, h.Thread.Called())
		}
	}
	if len(started) > 0 {
		f.Warn("%s started during the capture: %s", finding.Counted(len(started), "thread"),
			finding.Listed(started))
	}
	if len(ended) > 0 {
		f.Warn("%s ended during the capture: %s", finding.Counted(len(ended), "thread"), finding.Listed(ended))
	}
}

func warnBackwards(f *timeline.Timeline) {
	var names []string
	for _, h := range f.Threads {
		if h.Backwards {
			names = append(names, h.Thread.Called())
		}
	}
	if len(names) > 0 {
		f.Warn("the CPU time or age of %s shrank between dumps, so its figures are left out: %s",
			finding.Counted(len(names), "thread"), finding.Listed(names))
	}
}

// warnUnknownCPU explains why CPU figures are missing where a reader expects them.
func warnUnknownCPU(f *timeline.Timeline) {
	if untimed(f) {
		f.Warn("the dumps do not show the CPU time of threads%s, so busy threads are unknown",
			WhyUntimed(f.Last().Version))
	}
}

// WhyUntimed is a remark, after a blank, that a JVM of this build prints no CPU times. It is empty if the JVM prints
// them or the build is unknown.
func WhyUntimed(version string) string {
	switch major := timeline.MajorOf(version); {
	case major == 8:
		return " (JDK 8 prints none)"
	case strings.Contains(version, "-b") && !strings.Contains(version, "+"), major == 9, major == 10:
		return " (none before JDK 11 prints them)"
	}
	return ""
}

// untimed reports whether there are several dumps and none has CPU times.
func untimed(f *timeline.Timeline) bool {
	return len(f.Snaps) > 1 && !slices.ContainsFunc(f.Threads, func(h *timeline.History) bool { return h.CPU.Known })
}

// joinsNote describes what the dumps lack if threads may wait for each other to end; empty if none do.
func joinsNote(l *locks.Locks) string {
	joins := l.MutualJoins()
	if len(joins) == 0 {
		return ""
	}
	return fmt.Sprintf("%s may wait for each other to end: a dump does not say which thread Thread.join waits for; "+
		"jstall PID reads that from memory", timeline.QuoteThreads(joins))
}
