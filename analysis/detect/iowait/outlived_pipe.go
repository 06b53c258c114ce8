package iowait

import (
	"slices"
	"strings"

	"jstall/analysis/facts/iowaits"
	"jstall/analysis/facts/pools"
	"jstall/analysis/finding"
	"jstall/analysis/stack"
	"jstall/analysis/timeline"
	"jstall/threaddump"
)

// outlivedPipes reports threads that wait in a library for the end of what a child process
// writes, which does not come though the child has ended. The readers are told with them.
func outlivedPipes(f *pools.Pools, all []iowaits.Waiter, told map[*timeline.Sample]bool) []finding.Candidate {
	var joiners []*timeline.History
	var readers []*timeline.Sample
	for _, w := range all {
		if !w.OrphanedPipe {
			continue
		}
		for _, h := range libraryJoiners(f.Timeline, w.H) {
			if !slices.Contains(joiners, h) {
				joiners = append(joiners, h)
			}
			told[w.H.Last()] = true
			readers = append(readers, w.H.Last())
		}
	}
	if len(joiners) == 0 {
		return nil
	}
	threads := timeline.InNameOrder(pools.LastSamples(joiners))
	blamed := finding.NewBlame(&finding.Finding{Culprits: f.Refs(threads), Kind: finding.KindIOWait})
	return []finding.Candidate{{
		Finding: finding.Finding{
			Severity: finding.Warning, Confidence: finding.Likely,
			Title:  outlivedTitle(threads),
			Advice: iowaits.OrphanedPipeAdvice, Culprits: f.Refs(threads), Victims: f.Refs(callersBehind(f, joiners)),
			Evidence: append(f.PlaceEvidence(joiners[0]), reaperEvidence(f.Timeline, readers)...),
		},
		Behind: func(effect *finding.Finding) bool {
			return effect.Kind != finding.KindIOWait && blamed.BlamesSame(finding.NewBlame(effect))
		},
	}}
}

// callersBehind are the callers of executors all of whose workers some threads are.
func callersBehind(f *pools.Pools, threads []*timeline.History) []*timeline.Sample {
	stands := map[*timeline.History]bool{}
	for _, h := range threads {
		stands[h] = true
	}
	var behind []*timeline.Sample
	for _, p := range f.Executors() {
		if p.FullOf(stands) {
			behind = append(behind, pools.LastSamples(f.CallersOf(p))...)
		}
	}
	return behind
}

// reaperEvidence quotes what the JVM's own thread waits for that has seen the child end.
func reaperEvidence(f *timeline.Timeline, readers []*timeline.Sample) []finding.Evidence {
	for _, h := range f.Alive() {
		if s := h.Last(); iowaits.IsBlockedReaper(s) && slices.ContainsFunc(readers, func(r *timeline.Sample) bool {
			return r.HeldLock(s.WaitsOn().Address) != nil
		}) {
			return []finding.Evidence{f.QuoteFrame(h.LastAt(), s, 0), f.QuoteLock(h.LastAt(), s.WaitsOn())}
		}
	}
	return nil
}

// libraryJoiners are the threads that wait, over the whole capture and without end, in a
// library for the end of a thread which that library runs.
func libraryJoiners(f *timeline.Timeline, h *timeline.History) []*timeline.History {
	own := slices.IndexFunc(h.Last().Stack.Frames, func(fr *threaddump.Frame) bool { return !stack.IsJDK(fr) })
	if own < 0 || h.Last().Stack.Application != nil {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(f.Alive()), func(o *timeline.History) bool {
		s := o.Last()
		by, l := s.Stack.Op.Caller, s.WaitsOn()
		return s.Stack.Op.Kind != stack.OpJoin || s.Timed() || f.StandingStill(o).Dumps < len(f.Snaps) ||
			by == nil || packageOf(by) != packageOf(h.Last().Stack.Frames[own]) ||
			l != nil && l.Class != iowaits.BottomClass(h)
	})
}

func packageOf(f *threaddump.Frame) string { return f.Class[:strings.LastIndexByte(f.Class, '.')+1] }
