package virtual

import (
	"fmt"
	"slices"
	"strings"

	"jstall/analysis/finding"
	"jstall/analysis/stack"
	"jstall/analysis/timeline"
	"jstall/threaddump"
)

// taken are the carriers that their virtual threads keep.
type taken struct {
	Pinned, Busy []Carrier
	// ready are the virtual threads that want a carrier, full tells that none is left.
	Ready []*timeline.Sample
	Full  bool
}

// NobodyRuns reports that virtual threads wait for a carrier, and none is left.
func (t *taken) NobodyRuns() bool { return t.Full && timeline.SizeOf(t.Ready) > 0 }

func TakenCarriers(f *timeline.Timeline) taken {
	all := carriers(f)
	t := taken{Ready: readyVirtual(f, all)}
	for _, c := range all {
		switch {
		case c.Pinned:
			t.Pinned = append(t.Pinned, c)
		case c.computes:
			t.Busy = append(t.Busy, c)
		}
	}
	t.Full = takeAll(f, all, t.Pinned, t.Busy, t.Ready)
	return t
}

// takeAll reports that no carrier is left: none idle, and as many as there are cores
// or threads that want one; the scheduler makes them as they are needed.
func takeAll(f *timeline.Timeline, all, pinned, busy []Carrier, ready []*timeline.Sample) bool {
	if f.Last().Cut { // a carrier that is free may be among what is lost
		return false
	}
	if len(all) == 0 || len(pinned)+len(busy) < len(all) || hasIdleCarrier(f, all) {
		return false
	}
	return len(ready) > 0 || f.Cores() > 0 && float64(len(all)) >= f.Cores()
}

// Carrier is a platform thread that runs a virtual one at the end of the capture.
type Carrier struct {
	thread *timeline.Sample // nil if the dump does not tell which carrier it is
	// virtual is the thread that it runs, nil if that is not listed.
	virtual *timeline.Sample
	// stack is the virtual thread's as far as it is known, else the carrier's.
	Stack *stack.Stack
	// stood tells that it ran the same one in all dumps, pinned and computes what that
	// one did on it.
	Stood, Pinned, computes bool
}

// carriers are those of the last dump, in its order.
func carriers(f *timeline.Timeline) []Carrier {
	virtual := timeline.ByCarried(f)
	var all []Carrier
	for i := range f.Last().Samples {
		s := &f.Last().Samples[i]
		if s.Thread.Virtual || !timeline.Carries(s) {
			continue
		}
		c := Carrier{thread: s, virtual: virtual[s.Carrier], Stack: s.Stack}
		if c.virtual != nil && s.Stack.Application == nil {
			c.Stack = c.virtual.Stack
		}
		judge(f, &c)
		all = append(all, c)
	}
	return withUnplaced(f, all)
}

// judge says what a carrier does with its virtual thread.
func judge(f *timeline.Timeline, c *Carrier) {
	h := f.History(c.thread)
	c.Stood = c.thread.Carrier != 0 && !slices.ContainsFunc(h.Samples, func(s *timeline.Sample) bool { return s.Carrier != c.thread.Carrier }) &&
		len(h.Samples) == len(f.Snaps)
	switch {
	case ParkedOnCarrier(c.Stack):
		c.Pinned = true
	case !c.Stood || len(h.Samples) < timeline.LeastDumps || !f.Measurable():
	default:
		c.Pinned = timeline.ProgressOf(f, h) == timeline.Stands
		wanted := h.Wanted()
		c.computes = wanted.Known && wanted.Value >= timeline.BurningShare
	}
}

// withUnplaced adds, where the dump does not say which carrier runs whom, the
// virtual threads that park on theirs.
func withUnplaced(f *timeline.Timeline, all []Carrier) []Carrier {
	var unplaced []int
	for i := range all {
		if all[i].virtual == nil && all[i].thread.Carrier == 0 {
			unplaced = append(unplaced, i)
		}
	}
	v := timeline.VirtualView(f)
	if v == nil || len(unplaced) == 0 {
		return all
	}
	for i := range v.Last().Samples {
		s := &v.Last().Samples[i]
		if s.Thread.Virtual && len(unplaced) > 0 && ParkedOnCarrier(s.Stack) {
			c := &all[unplaced[0]]
			c.virtual, c.Stack, c.Pinned = s, s.Stack, true
			unplaced = unplaced[1:]
		}
	}
	return all
}

// ParkedOnCarrier tells a virtual thread that waits and could not leave its carrier.
func ParkedOnCarrier(s *stack.Stack) bool {
	return slices.ContainsFunc(s.Frames[:min(4, len(s.Frames))], func(f *threaddump.Frame) bool {
		return f.Class == "java.lang.VirtualThread" && f.Method == "parkOnCarrierThread"
	})
}

// hasIdleCarrier reports that the scheduler has a worker that runs nothing.
func hasIdleCarrier(f *timeline.Timeline, all []Carrier) bool {
	pool := poolName(all[0].thread.Thread.Name)
	for i := range f.Last().Samples {
		s := &f.Last().Samples[i]
		if !s.Thread.Virtual && !timeline.Carries(s) && poolName(s.Thread.Name) == pool {
			return true
		}
	}
	return false
}

// poolName is a worker's name without its number.
func poolName(name string) string { return strings.TrimRight(name, "0123456789") }

// readyVirtual are the virtual threads that want a carrier and have none.
func readyVirtual(f *timeline.Timeline, all []Carrier) []*timeline.Sample {
	v := timeline.VirtualView(f)
	if v == nil {
		return nil
	}
	on := map[int64]bool{}
	for _, c := range all {
		if c.virtual != nil {
			on[c.virtual.Thread.ID] = true
		}
	}
	var ready []*timeline.Sample
	for i := range v.Last().Samples {
		s := &v.Last().Samples[i]
		if s.Thread.Virtual && s.State == threaddump.Runnable && s.Carrier == 0 && !on[s.Thread.ID] {
			ready = append(ready, s)
		}
	}
	return ready
}

// CarriersHot tells that a finding is of nothing but the CPU that these carriers use:
// for the virtual threads that they run.
func CarriersHot(held []Carrier) func(effect *finding.Finding) bool {
	carriers := map[finding.ThreadID]bool{}
	for _, c := range held {
		if c.thread != nil {
			carriers[finding.ThreadID{ID: c.thread.Thread.ID}] = true
		}
	}
	return func(effect *finding.Finding) bool {
		return effect.Kind == finding.KindHotThread && !slices.ContainsFunc(effect.Culprits, func(r finding.ThreadRef) bool { return !carriers[finding.ThreadIDOf(r)] })
	}
}

func WaitFor(ready []*timeline.Sample) string {
	n := timeline.SizeOf(ready)
	return finding.Counted(n, "virtual thread") + " " + finding.Verb(n, "waits", "wait")
}

func EachCarrier(n int) string {
	if n == 1 {
		return "the only one"
	}
	return fmt.Sprintf("each of the %d", n)
}

// Carried names the virtual threads, or their carriers where the dump does not, with
// the place where each virtual thread stands.
func Carried(f *timeline.Timeline, all []Carrier) []finding.ThreadRef {
	refs := make([]finding.ThreadRef, 0, len(all))
	for _, c := range all {
		var r finding.ThreadRef
		if c.virtual == nil {
			r = f.Ref(c.thread)
		} else {
			r = timeline.VirtualView(f).Ref(c.virtual)
		}
		r.CPUPercent = timeline.InPercent(f.History(c.thread).Share())
		r.SetFrame(c.Stack.Application)
		refs = append(refs, r)
	}
	slices.SortStableFunc(refs, finding.CompareRefs)
	return refs
}

// CarrierEvidence quotes, for the first few, who carries whom and the frames that
// may pin.
func CarrierEvidence(f *timeline.Timeline, all []Carrier) []finding.Evidence {
	const shown = 3
	var quotes []finding.Evidence
	for _, c := range all[:min(shown, len(all))] {
		if c.thread.Carrier != 0 && f.Last().Instant {
			quotes = append(quotes, f.Quote(len(f.Snaps)-1, fmt.Sprintf("Carrying virtual thread #%d", c.thread.Carrier), carryingLine(c.thread)))
		}
		for _, frame := range c.suspects(MonitorsPin(f)) {
			quotes = append(quotes, quoteCarried(f, c, frame))
		}
	}
	return quotes
}

// quoteCarried cites a frame of a virtual thread from the dump that shows it.
func quoteCarried(f *timeline.Timeline, c Carrier, frame *threaddump.Frame) finding.Evidence {
	shown, s := f, c.thread
	if c.virtual != nil && c.Stack == c.virtual.Stack {
		shown, s = timeline.VirtualView(f), c.virtual
	}
	return shown.QuoteFrame(len(shown.Snaps)-1, s, slices.Index(c.Stack.Frames, frame))
}

// carryingLine is where a carrier's dump says whom it carries.
func carryingLine(s *timeline.Sample) int32 {
	if s.Line == 0 {
		return 0
	}
	return s.Line + 1 + int32(strings.Count(s.Thread.Name, "\n"))
}

// VirtualRefs names virtual threads; none where no dump lists any.
func VirtualRefs(f *timeline.Timeline, samples []*timeline.Sample) []finding.ThreadRef {
	if len(samples) == 0 {
		return nil
	}
	return timeline.VirtualView(f).Refs(samples)
}
