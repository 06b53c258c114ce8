package analysis

import (
	"cmp"
	"slices"
	"time"

	"github.com/jstall/jstall/analysis/facts/locks"
	"github.com/jstall/jstall/analysis/finding"
	"github.com/jstall/jstall/analysis/stack"
	"github.com/jstall/jstall/analysis/timeline"
)

// threadReports are the rows of those threads of the last dump that are wanted,
// the busiest first, then in the order of the dump.
func threadReports(f *locks.Locks, wanted func(*timeline.Thread) bool) []ThreadReport {
	texts := map[*stack.Stack][]string{}
	alive := make([]*timeline.History, 0, len(f.Timeline.Alive()))
	for _, h := range f.Timeline.Alive() {
		if wanted(h.Thread) {
			alive = append(alive, h)
		}
	}
	slices.SortStableFunc(alive, func(a, b *timeline.History) int {
		return cmp.Compare(rank(b.Share()), rank(a.Share()))
	})
	rows := make([]ThreadReport, 0, len(alive))
	for _, h := range alive {
		rows = append(rows, threadReport(f.Timeline, h, texts))
	}
	addWaits(f, alive, rows)
	return rows
}

// everyThread wants all rows.
func everyThread(*timeline.Thread) bool { return true }

// involved wants the threads that findings name.
func involved(found []finding.Finding) func(*timeline.Thread) bool {
	type name struct {
		name         string
		id, nativeID int64
	}
	named := map[name]bool{}
	for _, f := range found {
		for _, refs := range [][]finding.ThreadRef{f.Culprits, f.Victims} {
			for _, r := range refs {
				named[name{r.Name, r.ID, r.NativeID}] = true
			}
		}
	}
	return func(t *timeline.Thread) bool { return named[name{t.Name, t.ID, t.NativeID}] }
}

// rank sorts an unknown share behind all known ones.
func rank(share timeline.Opt[float64]) float64 {
	if !share.Known {
		return -1
	}
	return share.Value
}

func threadReport(f *timeline.Timeline, h *timeline.History, texts map[*stack.Stack][]string) ThreadReport {
	t, s := h.Thread, h.Last()
	row := ThreadReport{
		Name: t.Name, Kind: rowKind(t), Role: t.Role.String(), ID: t.ID, NativeID: t.NativeID,
		Daemon: t.Daemon, State: s.Shown().String(),
		CPUSeconds: inSeconds(h.CPU), CPUPercent: timeline.InPercent(h.Share()),
		ObservedSeconds: inSeconds(h.Elapsed), RunQueueSeconds: inSeconds(h.RunQueue),
		Alike: s.Size() - 1, Carrier: s.Carrier, StackUnknown: s.Unread, Stack: stackText(s.Stack, texts),
		Locks: lockText(s, f.Last().Addresses),
	}
	if h.Allocated.Known {
		row.AllocatedBytes = &h.Allocated.Value
	}
	if task, ok := f.Last().Tasks[t.NativeID]; ok && t.NativeID != 0 {
		row.KernelState, row.WaitChannel = task.State, task.WaitChannel
	}
	if frame := s.Stack.Lead(); frame != nil {
		row.Frame = frame.Name()
	}
	return row
}

func rowKind(t *timeline.Thread) string {
	switch {
	case t.Virtual:
		return kindVirtual
	case t.Java():
		return "java"
	}
	return "vm"
}

// stackText shares the lines of equal stacks.
func stackText(s *stack.Stack, texts map[*stack.Stack][]string) []string {
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

func lockText(s *timeline.Sample, instant bool) []string {
	lines := make([]string, 0, len(s.Locks))
	for i := range s.Locks {
		lines = append(lines, s.Locks[i].Text(instant))
	}
	return lines
}

func inSeconds(d timeline.Opt[time.Duration]) *float64 {
	if !d.Known {
		return nil
	}
	return finding.Rounded(d.Value.Seconds(), 1e5)
}

func inBytes(n timeline.Opt[int64]) *int64 {
	if !n.Known {
		return nil
	}
	return &n.Value
}

// addWaits says of each thread of the last dump whether it is idle, and what it waits for if it is not.
func addWaits(f *locks.Locks, threads []*timeline.History, rows []ThreadReport) {
	owners := f.Owners()
	var awaited map[*timeline.Sample]bool
	for i, h := range threads {
		if h.AtRest() {
			rows[i].Idle = h.Last().IdleRule().What
		}
		if awaited == nil {
			awaited = awaitedThreads(f)
		}
		if readsNext(f.Timeline, h.Last()) && !awaited[h.Last()] && !h.Last().HoldsOwnLock() {
			rows[i].Idle = "reader"
		} else if !h.SurelyIdle() || !h.AtRest() {
			rows[i].WaitsFor = timelineWaitOf(f.Timeline, h, owners[h.Last()])
			if w := rows[i].WaitsFor; w != nil && (w.Owner == nil || f.Objects.InQueue(h)) {
				w.State = f.Objects.StateOf(f.Timeline, h)
			}
		}
	}
}

// timelineWaitOf is what a thread waits for at the end of the capture, nil if for nothing: an event loop that works
// waits for its next event only.
func timelineWaitOf(f *timeline.Timeline, h *timeline.History, owner *timeline.Sample) *Wait {
	s := h.Last()
	what := s.WaitType()
	if what == "" || h.Works() && (s.Wait == stack.WaitIO || s.IdleRule() != nil) {
		return nil
	}
	w := &Wait{Type: what, Operation: s.Stack.Op.Name(), Unlimited: locks.Unlimited(s)}
	if l := s.WaitsOn(); l != nil {
		w.Class = l.Class
		if l.Address != 0 {
			w.Address = finding.Hex(l.Address)
		}
	}
	if owner != nil {
		t := owner.Thread
		w.Owner = &finding.ThreadRef{Name: t.Name, ID: t.ID, NativeID: t.NativeID}
	}
	since := waitsSince(h)
	w.Dumps = len(h.Samples) - since
	if w.Dumps > 1 && !wokenSince(h, since) && !mayBeRenewedSince(h, since) {
		w.Seconds = inSeconds(f.Between(h.At[since], h.At[len(h.At)-1]))
	}
	return w
}

// waitsSince counts in samples, back to the first from which on every dump shows the thread at the same place in the
// same wait. The collector may have moved the object, so its address does not count.
func waitsSince(h *timeline.History) int {
	now := h.Last()
	i := len(h.Samples) - 1
	for ; i > 0; i-- {
		then := h.Samples[i-1]
		gap := h.At[i] != h.At[i-1]+1
		if gap || then.Stack != now.Stack || then.Wait != now.Wait || then.WaitClass() != now.WaitClass() {
			break
		}
	}
	return i
}

// wokenSince reports that the thread has been elsewhere after a sample, and came back: it used more CPU than a wait
// costs or, where its CPU time is not known, what it waits for shows that.
func wokenSince(h *timeline.History, i int) bool {
	for ; i < len(h.Samples)-1; i++ {
		most := timeline.WakeCost
		if h.Samples[i].Wait == stack.WaitMonitor {
			most = timeline.RecheckCost
		}
		used := timeline.Growth(h.Samples[i].CPUTime, h.Samples[i+1].CPUTime)
		if used.Known && used.Value > most || !used.Known && timeline.SubtasksEnded(h.Samples[i], h.Samples[i+1]) ||
			h.Samples[i+1].Renewed() {
			return true
		}
	}
	return false
}

// mayBeRenewedSince reports whether a thread may have left its wait after a sample and come back: then no dump shows
// how long it waits.
func mayBeRenewedSince(h *timeline.History, i int) bool {
	for ; i < len(h.Samples)-1; i++ {
		if timeline.MayBeRenewed(h.Samples[i], h.Samples[i+1]) {
			return true
		}
	}
	return false
}
