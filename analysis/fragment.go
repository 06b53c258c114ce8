package analysis

import (
	"cmp"
	"fmt"
	"slices"
	"unicode/utf8"

	"github.com/jstall/jstall/analysis/facts/locks"
	"github.com/jstall/jstall/analysis/facts/resources"
	"github.com/jstall/jstall/analysis/finding"
	"github.com/jstall/jstall/analysis/stack"
	"github.com/jstall/jstall/analysis/timeline"
	"github.com/jstall/jstall/threaddump"
)

// fragmentWords completes "a fragment of 2 threads" with what the busy threads do: first those that wait for a lock,
// then those in I/O, then the others. It describes as many as the headline has room for.
func fragmentWords(f *timeline.Timeline) string {
	busy := busyThreads(f)
	if len(busy) == 0 {
		return ", not a whole dump; all of them are idle"
	}
	text, named := "", 0
	for _, s := range busy {
		does := s.Thread.Called() + " " + doesWords(f.Last(), s)
		room := maxHeadline - len("UNKNOWN: a fragment of 9,999 threads: and 9,999 more") - utf8.RuneCountInString(text)
		if named > 0 && utf8.RuneCountInString(does) > room {
			break
		}
		if named++; named > 1 {
			text += ", "
		}
		text += does
	}
	if more := len(busy) - named; more > 0 {
		text += fmt.Sprintf(", and %s more", finding.Thousands(more))
	}
	return ": " + text
}

// busyThreads returns the threads of the last dump that run code of the program or of a library and are not idle.
func busyThreads(f *timeline.Timeline) []*timeline.Sample {
	var busy []*timeline.Sample
	for _, h := range f.Alive() {
		s := h.Last()
		if s.Thread.Role == threaddump.Application && len(s.Stack.Frames) > 0 && s.IdleRule() == nil {
			busy = append(busy, s)
		}
	}
	rank := func(s *timeline.Sample) int {
		switch {
		case s.Wait.ForLock():
			return 0
		case s.Wait == stack.WaitIO:
			return 1
		case s.Waits():
			return 2
		}
		return 3
	}
	slices.SortStableFunc(busy, func(a, b *timeline.Sample) int { return cmp.Compare(rank(a), rank(b)) })
	return busy
}

// doesWords describes what a thread does and where: "waits for a RootLogger in Orders.book".
func doesWords(snap *timeline.Snapshot, s *timeline.Sample) string {
	does := resources.Phrase(s)
	if l := s.WaitsOn(); l != nil && l.Class != "" && s.Wait.ForLock() {
		does = "waits for " + withoutPackages(locks.LockWords(l.Class))
		if owner := snap.OwnerNamed(s); owner != "" {
			does += " held by " + finding.QuoteName(owner)
		}
	}
	if frame := s.Stack.Lead(); frame != nil {
		does += " in " + withoutPackages(frame.Name())
	}
	return does
}
