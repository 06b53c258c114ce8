package unresponsive

import (
	"fmt"
	"slices"

	"github.com/jstall/jstall/analysis/facts/unanswered"
	"github.com/jstall/jstall/analysis/finding"
	"github.com/jstall/jstall/analysis/timeline"
	"github.com/jstall/jstall/threaddump"
)

// collecting is a JVM in a garbage collection: by its counters, else by its threads.
func collecting(u *unanswered.JVM) *reason {
	if !u.HasCode("timeout") {
		return nil
	}
	in, counted, long, cause := collections(u)
	workers := u.BusiestWhere(func(t *unanswered.Thread) bool {
		return (t.Role == threaddump.GC || t.HasName("VM Thread")) && t.Share() > 0.1
	})
	switch {
	case counted > 0 && 2*in > counted:
		return inCollection(u, in, counted, long, cause, workers)
	case counted == 0 && len(workers) > 0 && workers[0].Share() > 0.5 && workers[0].Role == threaddump.GC &&
		quietApplication(u):
		return &reason{
			why: "it is in a garbage collection by its threads: only the collector runs", confidence: finding.Likely,
			advice: collectionAdvice, culprits: firstFew(workers),
			evidence: append([]string{"the JVM has no counters"}, useOf(workers)...),
		}
	}
	return nil
}

// collections counts the samples with counters, those of them in a collection, and those in the same collection
// as the sample before; cause is the last one's.
func collections(u *unanswered.JVM) (in, counted, long int, cause string) {
	for i := range u.Moments {
		c := u.Moments[i].Counters
		if c == nil {
			continue
		}
		counted++
		if c.Collecting == "" {
			continue
		}
		in++
		cause = c.GCCause
		if prev := u.Moments[max(i-1, 0)].Counters; i > 0 && prev != nil && prev.Collecting == c.Collecting &&
			prev.CollectingSince == c.CollectingSince {
			long++
		}
	}
	return in, counted, long, cause
}

const collectionAdvice = "Increase -Xmx, or find what fills the heap: jstall shows the threads that allocate once " +
	"it answers. Wait longer with --timeout."

func inCollection(u *unanswered.JVM, in, counted, long int, cause string, workers []*unanswered.Thread) *reason {
	c := u.Moments[len(u.Moments)-1].Counters
	for i := len(u.Moments) - 1; i >= 0 && (c == nil || c.Collecting == ""); i-- {
		c = u.Moments[i].Counters
	}
	r := &reason{why: "it is in a garbage collection (" + c.Collecting + ")", advice: collectionAdvice,
		culprits: firstFew(workers)}
	if cause != "" {
		r.why = "it is in a garbage collection (" + c.Collecting + ", " + cause + ")"
	}
	at := "its start is unknown"
	if c.CollectingSince.Known {
		at = "the last one began " + finding.Seconds(c.CollectingSince.Value) + " after the JVM's start"
	}
	r.evidence = append(r.evidence,
		fmt.Sprintf("counters: a collection had begun and not ended in %d of %d samples over %s; %s", in, counted,
			finding.Seconds(u.Wall()), at))
	if long == 0 {
		r.evidence[0] += ", one right after the other"
	}
	r.evidence = append(r.evidence, useOf(workers)...)
	return r
}

// quietApplication reports whether no thread of the application was always running.
func quietApplication(u *unanswered.JVM) bool { return len(runners(u)) == 0 }

// seenCollecting reports whether a garbage collection was under way in some sample.
func seenCollecting(u *unanswered.JVM) bool {
	return slices.ContainsFunc(u.Moments, func(m timeline.Observation) bool {
		return m.Counters != nil && m.Counters.Collecting != ""
	})
}
