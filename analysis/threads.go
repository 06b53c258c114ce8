package analysis

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"time"

	"jstall/threaddump"
)

// threadReports are the rows of those threads of the last dump that are wanted,
// the busiest first, then in the order of the dump.
func threadReports(f *lockFacts, wanted func(*Thread) bool) []ThreadReport {
	texts := map[*Stack][]string{}
	alive := make([]*history, 0, len(f.alive()))
	for _, h := range f.alive() {
		if wanted(h.thread) {
			alive = append(alive, h)
		}
	}
	slices.SortStableFunc(alive, func(a, b *history) int {
		return cmp.Compare(rank(b.share()), rank(a.share()))
	})
	rows := make([]ThreadReport, 0, len(alive))
	for _, h := range alive {
		rows = append(rows, threadReport(f.timeline, h, texts))
	}
	addWaits(f, alive, rows)
	return rows
}

// everyThread wants all rows.
func everyThread(*Thread) bool { return true }

// involved wants the threads that findings name.
func involved(found []Finding) func(*Thread) bool {
	type name struct {
		name         string
		id, nativeID int64
	}
	named := map[name]bool{}
	for _, f := range found {
		for _, refs := range [][]ThreadRef{f.Culprits, f.Victims} {
			for _, r := range refs {
				named[name{r.Name, r.ID, r.NativeID}] = true
			}
		}
	}
	return func(t *Thread) bool { return named[name{t.Name, t.ID, t.NativeID}] }
}

// rank sorts an unknown share behind all known ones.
func rank(share Opt[float64]) float64 {
	if !share.Known {
		return -1
	}
	return share.Value
}

func threadReport(f *timeline, h *history, texts map[*Stack][]string) ThreadReport {
	t, s := h.thread, h.last()
	row := ThreadReport{
		Name: t.Name, Kind: rowKind(t), Role: t.Role.String(), ID: t.ID, NativeID: t.NativeID,
		Daemon: t.Daemon, State: s.shown().String(),
		CPUSeconds: inSeconds(h.cpu), CPUPercent: inPercent(h.share()),
		ElapsedSeconds: inSeconds(h.elapsed), RunQueueSeconds: inSeconds(h.runQueue),
		Carrier: s.carrier, Stack: stackText(s.Stack, texts), Locks: lockText(s, f.last().addresses),
	}
	if h.allocated.Known {
		row.AllocatedBytes = &h.allocated.Value
	}
	if task, ok := f.last().tasks[t.NativeID]; ok && t.NativeID != 0 {
		row.KernelState, row.WaitChannel = task.State, task.WaitChannel
	}
	if frame := s.Stack.lead(); frame != nil {
		row.Frame = frame.Name()
	}
	return row
}

func rowKind(t *Thread) string {
	switch {
	case t.Virtual:
		return "virtual"
	case t.java():
		return "java"
	}
	return "vm"
}

// stackText shares the lines of equal stacks.
func stackText(s *Stack, texts map[*Stack][]string) []string {
	lines, ok := texts[s]
	if !ok {
		lines = make([]string, len(s.Frames))
		for i, f := range s.Frames {
			lines[i] = f.Text
		}
		texts[s] = lines
	}
	return lines
}

func lockText(s *Sample, instant bool) []string {
	lines := make([]string, 0, len(s.locks))
	for i := range s.locks {
		lines = append(lines, s.locks[i].text(instant))
	}
	return lines
}

func inSeconds(d Opt[time.Duration]) *float64 {
	if !d.Known {
		return nil
	}
	return rounded(d.Value.Seconds(), 1e5)
}

func inBytes(n Opt[int64]) *int64 {
	if !n.Known {
		return nil
	}
	return &n.Value
}

func inPercent(share Opt[float64]) *float64 {
	if !share.Known {
		return nil
	}
	return rounded(share.Value*100, 10)
}

// rounded keeps the digits that were measured.
func rounded(v, perUnit float64) *float64 {
	v = math.Round(v*perUnit) / perUnit
	return &v
}

// ref names a thread as one sample shows it.
func (f *timeline) ref(s *Sample) ThreadRef {
	r := ThreadRef{
		Name: s.Thread.Name, ID: s.Thread.ID, NativeID: s.Thread.NativeID,
		State: s.shown().String(), CPUPercent: inPercent(f.history(s).share()),
	}
	r.setFrame(f.placeOf(s))
	return r
}

func (r *ThreadRef) setFrame(frame *threaddump.Frame) {
	if frame != nil {
		r.Frame, r.File, r.Line = frame.Name(), frame.File, frame.Line
	}
}

// refs names threads in the order of their names.
func (f *timeline) refs(samples []*Sample) []ThreadRef {
	refs := make([]ThreadRef, 0, len(samples))
	for _, s := range samples {
		refs = append(refs, f.ref(s))
	}
	slices.SortStableFunc(refs, compareRefs)
	return refs
}

func compareRefs(a, b ThreadRef) int {
	return cmp.Or(cmp.Compare(a.Name, b.Name), cmp.Compare(a.ID, b.ID), cmp.Compare(a.NativeID, b.NativeID))
}

// quoteLock cites a lock line.
func (f *timeline) quoteLock(at int, l *lock) Evidence {
	return f.quote(at, l.text(f.snaps[at].addresses), l.line)
}

// quoteFrame cites the i-th frame of a thread's stack.
func (f *timeline) quoteFrame(at int, s *Sample, i int) Evidence {
	frame := s.Stack.Frames[i]
	if !f.snaps[at].addresses {
		return f.quote(at, frame.Text, s.writtenLine(i))
	}
	return f.quote(at, "at "+frame.Text, s.frameLine(i))
}

// frameLine is where the i-th frame stands in a text dump: below the header and
// the state, each frame above it with its lock lines. Zero for carriers, whose
// entries are made otherwise.
func (s *Sample) frameLine(i int) int32 {
	if s.line == 0 || s.carrier != 0 || s.State == threaddump.StateUnknown {
		return 0
	}
	line := s.line + 2 + int32(i+strings.Count(s.Thread.Name, "\n"))
	for _, l := range s.locks {
		if l.depth >= 0 && int(l.depth) < i {
			line++
		}
	}
	return line
}

// writtenLine is where the i-th frame stands in a dump that Java code wrote; zero if
// its frames do not stand line by line. JSON has its locks elsewhere.
func (s *Sample) writtenLine(i int) int32 {
	if s.stackLine == 0 {
		return 0
	}
	line := s.stackLine + int32(i)
	for _, l := range s.locks {
		if l.line >= s.stackLine && l.depth >= 0 && int(l.depth) < i && l.line <= line {
			line++
		}
	}
	return line
}

// quote cites a line of a dump.
func (f *timeline) quote(at int, text string, line int32) Evidence {
	dump, n := f.snaps[at].index, int(line)
	e := Evidence{Text: text, Dump: &dump}
	if n > 0 {
		e.Line = &n
	}
	return e
}
