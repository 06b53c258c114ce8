package iowait

import (
	"slices"

	"jstall/analysis/facts/iowaits"
	"jstall/analysis/finding"
	"jstall/analysis/stack"
	"jstall/analysis/timeline"
)

// quietCPU is what a process uses of a core at most while its subtasks surely do nothing
// but wait: of virtual threads no dump tells the CPU.
const quietCPU = 0.05

// stuckSubtasks reports the subtasks of structured scopes that stand in I/O, while the
// thread that opened the scope waits for them.
//
// Rule: over the capture that thread stood in the scope's join, without a limit, and its
// subtask reads, writes or connects at one place in all dumps of virtual threads, two at
// least, while the process uses next to no CPU. A hint where it uses more, or one dump
// alone shows it.
func stuckSubtasks(f *timeline.Timeline) []finding.Candidate {
	v := timeline.WithVirtualThreads(f)
	if v == nil || len(f.Snaps) < iowaits.IODumps {
		return nil
	}
	var subtasks, owners []*timeline.Sample
	for i := range v.Last().Samples {
		s := &v.Last().Samples[i]
		owner := scopeOwner(f, v, s)
		if owner == nil || !s.IsSubtaskInIO() {
			continue
		}
		subtasks = append(subtasks, s)
		if !slices.Contains(owners, owner) {
			owners = append(owners, owner)
		}
	}
	if len(subtasks) == 0 {
		return nil
	}
	result := finding.Finding{
		Severity: finding.Info, Confidence: finding.Possible, Title: subtasksTitle(f, subtasks, owners),
		Advice:   subtasksAdvice,
		Culprits: v.Refs(timeline.InNameOrder(subtasks)), Evidence: v.StandEvidence(len(v.Snaps)-1, subtasks),
	}
	for _, owner := range timeline.InNameOrder(owners) {
		of := f
		if f.History(owner) == nil {
			of = v
		}
		result.Victims = append(result.Victims, of.Ref(owner))
	}
	used := f.ShareOf(f.CPU())
	if v.StoodThroughout(subtasks) && used.Known && used.Value < quietCPU {
		result.Severity, result.Confidence = finding.Warning, finding.Likely
	}
	return []finding.Candidate{{Finding: result, Unlisted: timeline.SizeOf(subtasks) - len(subtasks)}}
}

// scopeOwner is the thread that has waited for a subtask over the whole capture, nil if
// none has.
func scopeOwner(f *timeline.Timeline, v *timeline.Timeline, subtask *timeline.Sample) *timeline.Sample {
	id := timeline.Key{ID: subtask.Thread.ScopeOwner}
	if id.ID == 0 {
		return nil
	}
	for _, of := range []*timeline.Timeline{f, v} {
		h := of.ByKey.Of(id)
		if h == nil || h.Last().Timed() || h.Last().Stack.Op.Kind != stack.OpResult ||
			of.StandingStill(h).Dumps < len(of.Snaps) {
			continue
		}
		if wall := f.Wall(); !wall.Known || wall.Value >= stack.IOLeast {
			return h.Last()
		}
	}
	return nil
}
