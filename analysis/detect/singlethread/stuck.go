package singlethread

import (
	"fmt"

	"github.com/jstall/jstall/analysis/facts"
	"github.com/jstall/jstall/analysis/finding"
	"github.com/jstall/jstall/analysis/timeline"
)

// stuckThreads reports threads that a server or watchdog reported because they were too long at one task. The server
// has measured the time, so one dump is a warning. Threads with the same report at one place are one finding.
func stuckThreads(f *facts.Facts) []finding.Candidate {
	var found []finding.Candidate
	type group struct {
		words string
		work  string
	}
	at := map[group]int{}
	var tails []string // of the titles
	for _, h := range f.Timeline.Alive() {
		s := h.Last()
		words := stuckWords(f.Timeline, h)
		if words == "" {
			continue
		}
		g := group{words, s.Stack.Work()}
		if i, ok := at[g]; ok {
			found[i].Culprits = append(found[i].Culprits, f.Timeline.Ref(s))
			continue
		}
		at[g] = len(found)
		title := s.Thread.Called() + " " + words
		if n := sameWork(h); n > 1 {
			title += fmt.Sprintf(", at the same place in %d dumps", n)
		}
		does := ""
		if s.Waits() {
			does = ": it " + f.Phrase(s)
		}
		tails = append(tails, does)
		found = append(found, finding.Candidate{Finding: finding.Finding{
			Severity: finding.Warning, Confidence: finding.Likely,
			Title: title, Advice: "Set a time limit on what this thread calls, or run the call on another thread.",
			Culprits: []finding.ThreadRef{f.Timeline.Ref(s)}, Evidence: f.Timeline.PlaceEvidence(h),
		}})
	}
	for i := range found {
		if more := len(found[i].Culprits) - 1; more > 0 {
			have := finding.Verb(more, "has", "have")
			found[i].Title += ", and so " + have + " " + finding.Counted(more, "more thread")
		}
		found[i].Title += tails[i]
	}
	return found
}

// stuckWords is the message of the server or watchdog in the last dump that has the thread, or empty.
func stuckWords(f *timeline.Timeline, h *timeline.History) string {
	return f.Snaps[h.At[len(h.At)-1]].Stuck(h.Last())
}

// sameWork is the number of last dumps that show the thread at one place of the program.
func sameWork(h *timeline.History) int {
	n, work := 0, h.Last().Stack.Work()
	for i := len(h.Samples) - 1; i >= 0 && h.Samples[i].Stack.Work() == work; i-- {
		n++
	}
	return n
}
