package singlethread

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/jstall/jstall/analysis/facts"
	"github.com/jstall/jstall/analysis/finding"
	"github.com/jstall/jstall/analysis/timeline"
)

// stuckThreads reports threads that a server or watchdog reported because they were too long at one task. The server
// has measured the time, so one dump is a warning. Threads with the same report at one place, whatever its figures, are
// one finding; the one with the largest figure is named first.
func stuckThreads(f *facts.Facts) []finding.Candidate {
	var found []finding.Candidate
	for _, group := range stuckGroups(f.Timeline) {
		found = append(found, finding.Candidate{Finding: stuckFinding(f, group)})
	}
	return found
}

// stuckGroups groups the reported threads by the words of the report and by their place.
func stuckGroups(f *timeline.Timeline) [][]*timeline.History {
	var groups [][]*timeline.History
	placeOf := map[string]int{}
	for _, h := range f.Alive() {
		words := stuckWords(f, h)
		if words == "" {
			continue
		}
		key := figures.ReplaceAllString(words, "0") + " " + h.Last().Stack.Work()
		at, known := placeOf[key]
		if !known {
			at = len(groups)
			placeOf[key] = at
			groups = append(groups, nil)
		}
		groups[at] = append(groups[at], h)
	}
	for _, group := range groups {
		slices.SortStableFunc(group, func(a, b *timeline.History) int {
			return cmp.Compare(figureOf(stuckWords(f, b)), figureOf(stuckWords(f, a)))
		})
	}
	return groups
}

// figures matches a number, which may have a separator of thousands.
var figures = regexp.MustCompile(`[0-9]+(?:[,.][0-9]+)*`)

// figureOf is the first number in a report, 0 if it has none.
func figureOf(words string) int {
	n, err := strconv.Atoi(strings.ReplaceAll(figures.FindString(words), ",", ""))
	if err != nil {
		return 0
	}
	return n
}

func stuckFinding(f *facts.Facts, group []*timeline.History) finding.Finding {
	first := group[0]
	s, words := first.Last(), stuckWords(f.Timeline, first)
	title := s.Thread.Called() + " " + words
	if n := sameWork(first); n > 1 {
		title += fmt.Sprintf(", at the same place in %d dumps", n)
	}
	if more := len(group) - 1; more > 0 {
		others := finding.Counted(more, "more thread")
		if stuckWords(f.Timeline, group[more]) == words {
			title += ", and so " + finding.Verb(more, "has", "have") + " " + others
		} else {
			title += ", and " + others + " for less time"
		}
	}
	if s.Waits() {
		title += ": it " + f.Phrase(s)
	}
	var culprits []finding.ThreadRef // the first of them is the one in the title
	for _, h := range group {
		culprits = append(culprits, f.Timeline.Ref(h.Last()))
	}
	return finding.Finding{
		Severity: finding.Warning, Confidence: finding.Likely,
		Title:    title,
		Advice:   "Set a timeout on the call that this thread waits in, or make the call on another thread.",
		Culprits: culprits, Evidence: f.Timeline.PlaceEvidence(first),
	}
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
