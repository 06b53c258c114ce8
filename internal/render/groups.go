package render

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/jstall/jstall/analysis"
	"github.com/jstall/jstall/analysis/finding"
	"github.com/jstall/jstall/analysis/stack"
	"github.com/jstall/jstall/internal/order"
)

// group is a group of threads of a finding at the same place: with equal state and equal stack, down to the first
// application frame if there is one.
type group struct {
	refs   []finding.ThreadRef
	thread *analysis.ThreadReport // the first one; nil if the report does not have it
	// dump names the dump that shows the threads there, if the last one shows them elsewhere; otherwise it is empty.
	dump string
	// sinceStart is true if the shares of a core are averages since the threads started: no dump before this one shows
	// what they had used.
	sinceStart bool
}

// culpritGroups groups culprits. Those of a cycle each have a separate part, even with equal stacks.
func culpritGroups(p *page, f *finding.Finding) []group {
	if f.Kind != finding.KindDeadlock {
		return groupsOf(p, f.Culprits)
	}
	out := make([]group, len(f.Culprits))
	for i, ref := range f.Culprits {
		out[i] = group{refs: f.Culprits[i : i+1], thread: p.index.find(ref), dump: p.earlierDump(ref),
			sinceStart: !p.cpuMeasured()}
	}
	return out
}

// groupsOf groups threads at the same place, the largest group first.
func groupsOf(p *page, refs []finding.ThreadRef) []group {
	return grouped(p, refs, func(ref finding.ThreadRef, t *analysis.ThreadReport) string {
		return standsAt(ref, t) + "\n" + p.earlierDump(ref)
	})
}

// grouped groups threads with equal keys, the largest group first.
func grouped(p *page, refs []finding.ThreadRef, keyOf func(finding.ThreadRef, *analysis.ThreadReport) string) []group {
	var out []group
	place, sinceStart := map[string]int{}, !p.cpuMeasured()
	for _, ref := range refs {
		t := p.index.find(ref)
		key := keyOf(ref, t)
		i, seen := place[key]
		if !seen {
			i = len(out)
			place[key] = i
			out = append(out, group{thread: t, dump: p.earlierDump(ref), sinceStart: sinceStart})
		}
		out[i].refs = append(out[i].refs, ref)
	}
	order.SortStable(out, func(a, b group) int { return cmp.Compare(len(b.refs), len(a.refs)) })
	return out
}

func standsAt(ref finding.ThreadRef, t *analysis.ThreadReport) string {
	if t == nil || len(t.Stack) == 0 {
		return fmt.Sprintf("%s %s %s:%d", ref.State, ref.Frame, ref.File, ref.Line)
	}
	return stateOf(ref, t) + "\n" + strings.Join(t.Stack[:upToApplication(t)], "\n")
}

func stateOf(ref finding.ThreadRef, t *analysis.ThreadReport) string {
	if ref.State == "" && t != nil {
		return t.State
	}
	return ref.State
}

// where is the group's application frame, empty if unknown.
func (g group) where() string {
	if g.thread != nil && len(g.thread.Stack) > 0 {
		return shownFrame(g.thread)
	}
	return g.named()
}

// earlierDump names the dump in which a finding saw a thread, if the last one shows it elsewhere; otherwise it is
// empty.
func (p *page) earlierDump(ref finding.ThreadRef) string {
	if ref.Dump == nil {
		return ""
	}
	name := p.fileName(*ref.Dump)
	for i, file := range p.report.Capture.DumpFiles {
		if i != *ref.Dump && file == p.report.Capture.DumpFiles[*ref.Dump] {
			name = "" // it has several
		}
	}
	return cmp.Or(name, fmt.Sprintf("dump %d", *ref.Dump+1))
}

// inDump names the dump of the state, if it is not the last one.
func (g group) inDump() []span {
	if g.dump == "" {
		return nil
	}
	return []span{plain(" in "), quoted(g.dump)}
}

// named is the frame by which the finding names the first thread.
func (g group) named() string {
	ref := g.refs[0]
	switch {
	case ref.Frame == "" || ref.File == "" && ref.Line == 0:
		return ref.Frame
	case ref.File == "":
		return fmt.Sprintf("%s (line %d)", ref.Frame, ref.Line)
	}
	return fmt.Sprintf("%s(%s:%d)", ref.Frame, ref.File, ref.Line)
}

// elsewhere reports whether the finding blames the first thread for its place in an earlier dump, and the last dump,
// whose stack is in the report, shows it idle.
func (g group) elsewhere() bool {
	return g.thread != nil && g.thread.Idle != "" && g.refs[0].Frame != "" && g.thread.Frame != g.refs[0].Frame
}

// before is the place of the first thread in an earlier dump, if the finding blames it for that place and its stack in
// the report, from the last dump, does not have it.
func (g group) before() []span {
	ref := g.refs[0]
	if g.thread == nil || len(g.thread.Stack) == 0 || ref.Frame == "" {
		return nil
	}
	if slices.ContainsFunc(g.thread.Stack, func(line string) bool { return isAt(line, ref) }) {
		return nil
	}
	return []span{plain(", earlier at "), quoted(g.named())}
}

// isAt reports whether a line of a stack is the place of a thread in a finding.
func isAt(line string, ref finding.ThreadRef) bool {
	return strings.Contains(line, ref.Frame+"(") && (ref.Line <= 0 ||
		strings.Contains(line, fmt.Sprintf(":%d)", ref.Line)))
}

// culprit introduces the group: one thread with its native id, or the number of threads and the common part of their
// names.
func (g group) culprit() []span {
	ref := g.refs[0]
	out := g.who()
	if len(g.refs) == 1 {
		out = withID(ref, "")
	}
	if s := stateOf(ref, g.thread); s != "" {
		out = slices.Concat(out, []span{plain(", "), stateOfThread(s)}, g.inDump())
	}
	if len(g.refs) > 1 {
		out = append(out, plain(", same stack"))
	}
	if total, ok := g.cpu(); ok {
		text := fmt.Sprintf(", %s %% CPU", percent(total))
		if len(g.refs) > 1 {
			text += " together"
		}
		if g.sinceStart {
			text += " since " + verb(len(g.refs), "its", "their") + " start"
		}
		out = append(out, plain(text))
	}
	return out
}

// waitsFor names the thread that a single thread waits for.
func (g group) waitsFor() []span {
	t := g.thread
	if t == nil || len(g.refs) > 1 {
		return nil
	}
	if t.WaitsFor == nil || t.WaitsFor.Owner == nil {
		return nil
	}
	if owner := t.WaitsFor.Owner; owner.Name == t.Name && owner.ID == t.ID && owner.NativeID == t.NativeID {
		return []span{plain(", waits for a lock that it holds itself")}
	}
	return waitsForOwner(t.WaitsFor)
}

// cpu sums the group's CPU in percent of one core; not ok if one is unknown.
func (g group) cpu() (sum float64, ok bool) {
	for _, ref := range g.refs {
		if ref.CPUPercent == nil {
			return 0, false
		}
		sum += *ref.CPUPercent
	}
	return sum, true
}

// victims is the line for a waiting group: its state, the waiting call, and the place.
func (g group) victims() []span {
	out := g.who()
	if s := stateOf(g.refs[0], g.thread); s != "" {
		out = append(out, plain(" "), stateOfThread(s))
	}
	if op := g.operation(); op != "" {
		out = append(out, plain(" in "), quoted(op))
	} else if t := g.thread; t != nil && t.WaitsFor != nil && t.WaitsFor.Operation == "" && !isLock(t.WaitsFor) {
		out = append(out, plain(" for "+stack.WaitWords(t.WaitsFor.Type)))
	}
	return slices.Concat(out, g.at(), g.inDump())
}

// operation is the waiting call of the group, without outer classes: "WriteLock.lock". It is empty for a monitor, and
// if the place shows it.
func (g group) operation() string {
	if g.thread == nil || g.thread.WaitsFor == nil {
		return ""
	}
	op := g.thread.WaitsFor.Operation
	op = op[strings.LastIndexByte(op, '$')+1:]
	if strings.Contains(g.where(), "."+op+"(") {
		return ""
	}
	return op
}

// victimGroups groups threads whose lines would have the same text, the largest group first.
func victimGroups(p *page, refs []finding.ThreadRef) []group {
	return grouped(p, refs, func(ref finding.ThreadRef, t *analysis.ThreadReport) string {
		g := group{refs: []finding.ThreadRef{ref}, thread: t}
		return strings.Join([]string{stateOf(ref, t), g.operation(), g.where(), p.earlierDump(ref)}, "\n")
	})
}

// who names the group, as in severalNames for more than one thread.
func (g group) who() []span {
	if len(g.refs) > 1 {
		return []span{strong(severalNames(len(g.refs), g.refs))}
	}
	return []span{strong(called(g.refs[0]))}
}

func (g group) at() []span {
	if w := g.where(); w != "" && w != unknown {
		return []span{plain(" at "), quoted(w)}
	}
	return nil
}

func sum(groups []group) int {
	n := 0
	for _, g := range groups {
		n += len(g.refs)
	}
	return n
}
