package threadleak

import (
	"fmt"
	"strings"
	"time"

	"github.com/jstall/jstall/analysis/finding"
	"github.com/jstall/jstall/analysis/timeline"
)

// leakTitle describes the growth of a pattern, by its rate if the time is known.
func leakTitle(f *timeline.Timeline, g *lookalike) string {
	grow := "keep starting"
	if wall := f.Wall(); wall.Known && wall.Value > 0 {
		grow = fmt.Sprintf("grow by %.1f a second", float64(len(g.fresh()))/wall.Value.Seconds())
	}
	return fmt.Sprintf("%s %s and none ends: %s now", finding.ThreadsNamed(g.pattern), grow,
		finding.Thousands(len(g.alive)))
}

const (
	leakAdvice = "Find the code that starts them; the newest is named here. End the threads when their work is done. " +
		"Share one executor, or shut each executor down."
	sharedAdvice = "Shut each executor down when its work is done, or share one."
)

func leakEvidence(g *lookalike) finding.Evidence {
	return finding.Figure(fmt.Sprintf("%d at the first dump, %d at the last, %d new ones waiting",
		g.counts[0], len(g.alive), waiting(g.fresh())))
}

func agedTitle(g *lookalike, gap, latest time.Duration) string {
	return fmt.Sprintf("%s executors with one idle thread each, %s: a new one every %s, the latest %s ago",
		finding.Thousands(len(g.alive)), finding.QuoteName(g.pattern), finding.LongTime(gap), finding.LongTime(latest))
}

// agesEvidence lists the ages of the youngest threads.
func agesEvidence(ages []time.Duration) finding.Evidence {
	const shown = 5
	text := make([]string, 0, shown)
	for _, age := range ages[:min(shown, len(ages))] {
		text = append(text, finding.LongTime(age))
	}
	return finding.Figure(fmt.Sprintf("ages of these %d threads, youngest first: %s, …", len(ages),
		strings.Join(text, ", ")))
}
