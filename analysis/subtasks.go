package analysis

import (
	"fmt"
	"slices"
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
func (f *timeline) stuckSubtasks() []candidate {
	v := f.virtualView()
	if v == nil || len(f.snaps) < ioDumps {
		return nil
	}
	var subtasks, owners []*Sample
	for i := range v.last().samples {
		s := &v.last().samples[i]
		owner := f.scopeOwner(v, s)
		if owner == nil || !s.isSubtaskInIO() {
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
	result := Finding{
		Severity: Info, Confidence: Possible, Title: f.subtasksTitle(subtasks, owners),
		Advice:   "Look at the other end, and give the call a timeout, or the scope.",
		Culprits: v.refs(inNameOrder(subtasks)), Evidence: v.standEvidence(len(v.snaps)-1, subtasks),
	}
	for _, owner := range inNameOrder(owners) {
		of := f
		if f.history(owner) == nil {
			of = v
		}
		result.Victims = append(result.Victims, of.ref(owner))
	}
	used := f.shareOf(f.cpu())
	if v.stoodThroughout(subtasks) && used.Known && used.Value < quietCPU {
		result.Severity, result.Confidence = Warning, Likely
	}
	return []candidate{{Finding: result, unlisted: sizeOf(subtasks) - len(subtasks)}}
}

// isSubtaskInIO tells a virtual thread that a structured scope runs, in a call that
// another process or host ends.
func (s *Sample) isSubtaskInIO() bool {
	switch s.Stack.op.kind {
	case opRead, opWrite, opConnect:
		return s.Thread.Virtual && s.Thread.ScopeOwner != 0
	}
	return false
}

// scopeOwner is the thread that has waited for a subtask over the whole capture, nil if
// none has.
func (f *timeline) scopeOwner(v *timeline, subtask *Sample) *Sample {
	id := key{id: subtask.Thread.ScopeOwner}
	if id.id == 0 {
		return nil
	}
	for _, of := range []*timeline{f, v} {
		h := of.byKey.of(id)
		if h == nil || h.last().timed() || h.last().Stack.op.kind != opResult || of.standingStill(h).dumps < len(of.snaps) {
			continue
		}
		if wall := f.wall(); !wall.Known || wall.Value >= ioLeast {
			return h.last()
		}
	}
	return nil
}

func (f *timeline) subtasksTitle(subtasks, owners []*Sample) string {
	n, kind := sizeOf(subtasks), subtasks[0].Stack.op.kind
	who := fmt.Sprintf("%s subtasks wait", Thousands(n))
	if n == 1 {
		who = subtasks[0].Thread.called() + " waits"
	}
	what := toDo(kind)
	if slices.ContainsFunc(subtasks, func(s *Sample) bool { return s.Stack.op.kind != kind }) {
		what = "for I/O"
	}
	return fmt.Sprintf("%s %s, while %s for %s to end", who, what,
		quoteThreads(inNameOrder(owners))+verb(len(owners), " waits", " wait"), verb(len(owners), "its scope", "their scopes"))
}
