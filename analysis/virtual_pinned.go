package analysis

import (
	"fmt"
	"slices"
	"strings"

	"jstall/threaddump"
)

// detectPinned reports virtual threads that keep their carriers: blocked while they
// cannot leave them, or computing without end while others wait for a carrier.
//
// Rule: a carrier runs the same virtual thread in every dump of the capture and either
// uses no CPU, which makes that one pinned, or most of a core. In one dump alone a
// virtual thread that parks on its carrier tells by that. If no worker of the
// scheduler is left, and virtual threads are ready to run, nothing gets on:
// critical if all are pinned, a warning if some compute. Pinned carriers without
// anybody seen to wait for one are a warning if no worker is left, and a hint else.
//
// What pins is named: a native method or static initialiser on the stack, from 21 to
// 23 also a monitor that is held or waited for. JDK 21 does not tell who holds
// monitors; there the frames are named that may.
//
// Where all that compute do nothing but ask, they spin.
func detectPinned(f *facts) []candidate {
	t := f.takenCarriers()
	switch {
	case len(t.pinned) == 0 && !(len(t.busy) > 0 && t.nobodyRuns()):
		return nil
	case len(t.pinned) == 0 && t.onlyAsk():
		return nil // see carriersAsk
	case len(t.pinned) == 0:
		return []candidate{f.carriersBusy(t.busy, t.ready)}
	case len(t.busy) > 0 && t.nobodyRuns():
		return []candidate{f.carriersPinned(append(t.pinned, t.busy...), len(t.pinned), t.full, t.ready)}
	}
	return []candidate{f.carriersPinned(t.pinned, len(t.pinned), t.full, t.ready)}
}

// taken are the carriers that their virtual threads keep.
type taken struct {
	pinned, busy []carrier
	// ready are the virtual threads that want a carrier, full tells that none is left.
	ready []*Sample
	full  bool
}

// nobodyRuns reports that virtual threads wait for a carrier, and none is left.
func (t *taken) nobodyRuns() bool { return t.full && sizeOf(t.ready) > 0 }

func (f *timeline) takenCarriers() taken {
	all := f.carriers()
	t := taken{ready: f.readyVirtual(all)}
	for _, c := range all {
		switch {
		case c.pinned:
			t.pinned = append(t.pinned, c)
		case c.computes:
			t.busy = append(t.busy, c)
		}
	}
	t.full = f.takeAll(all, t.pinned, t.busy, t.ready)
	return t
}

// takeAll reports that no carrier is left: none idle, and as many as there are cores
// or threads that want one; the scheduler makes them as they are needed.
func (f *timeline) takeAll(all, pinned, busy []carrier, ready []*Sample) bool {
	if f.last().cut { // a carrier that is free may be among what is lost
		return false
	}
	if len(all) == 0 || len(pinned)+len(busy) < len(all) || f.hasIdleCarrier(all) {
		return false
	}
	return len(ready) > 0 || f.cores() > 0 && float64(len(all)) >= f.cores()
}

// carrier is a platform thread that runs a virtual one at the end of the capture.
type carrier struct {
	thread *Sample // nil if the dump does not tell which carrier it is
	// virtual is the thread that it runs, nil if that is not listed.
	virtual *Sample
	// stack is the virtual thread's as far as it is known, else the carrier's.
	stack *Stack
	// stood tells that it ran the same one in all dumps, pinned and computes what that
	// one did on it.
	stood, pinned, computes bool
}

// carriers are those of the last dump, in its order.
func (f *timeline) carriers() []carrier {
	virtual := f.byCarried()
	var all []carrier
	for i := range f.last().samples {
		s := &f.last().samples[i]
		if s.Thread.Virtual || !carries(s) {
			continue
		}
		c := carrier{thread: s, virtual: virtual[s.carrier], stack: s.Stack}
		if c.virtual != nil && s.Stack.Application == nil {
			c.stack = c.virtual.Stack
		}
		f.judge(&c)
		all = append(all, c)
	}
	return f.withUnplaced(all)
}

// carries tells a platform thread that runs a virtual one, whether or not the dump
// says which.
func carries(s *Sample) bool {
	return s.carrier != 0 || slices.ContainsFunc(s.Stack.Frames, func(f *threaddump.Frame) bool {
		return f.Class == "java.lang.VirtualThread" && f.Method == "runContinuation"
	})
}

// byCarried are the virtual threads that are listed, by id.
func (f *timeline) byCarried() map[int64]*Sample {
	byID := map[int64]*Sample{}
	if v := f.virtualView(); v != nil {
		for i := range v.last().samples {
			if s := &v.last().samples[i]; s.Thread.Virtual {
				byID[s.Thread.ID] = s
			}
		}
	}
	return byID
}

// judge says what a carrier does with its virtual thread.
func (f *timeline) judge(c *carrier) {
	h := f.history(c.thread)
	c.stood = c.thread.carrier != 0 && !slices.ContainsFunc(h.samples, func(s *Sample) bool { return s.carrier != c.thread.carrier }) &&
		len(h.samples) == len(f.snaps)
	switch {
	case parkedOnCarrier(c.stack):
		c.pinned = true
	case !c.stood || len(h.samples) < leastDumps || !f.measurable():
	default:
		c.pinned = f.progressOf(h) == stands
		wanted := h.wanted()
		c.computes = wanted.Known && wanted.Value >= burningShare
	}
}

// withUnplaced adds, where the dump does not say which carrier runs whom, the
// virtual threads that park on theirs.
func (f *timeline) withUnplaced(all []carrier) []carrier {
	var unplaced []int
	for i := range all {
		if all[i].virtual == nil && all[i].thread.carrier == 0 {
			unplaced = append(unplaced, i)
		}
	}
	v := f.virtualView()
	if v == nil || len(unplaced) == 0 {
		return all
	}
	for i := range v.last().samples {
		s := &v.last().samples[i]
		if s.Thread.Virtual && len(unplaced) > 0 && parkedOnCarrier(s.Stack) {
			c := &all[unplaced[0]]
			c.virtual, c.stack, c.pinned = s, s.Stack, true
			unplaced = unplaced[1:]
		}
	}
	return all
}

// parkedOnCarrier tells a virtual thread that waits and could not leave its carrier.
func parkedOnCarrier(s *Stack) bool {
	return slices.ContainsFunc(s.Frames[:min(4, len(s.Frames))], func(f *threaddump.Frame) bool {
		return f.Class == "java.lang.VirtualThread" && f.Method == "parkOnCarrierThread"
	})
}

// hasIdleCarrier reports that the scheduler has a worker that runs nothing.
func (f *timeline) hasIdleCarrier(all []carrier) bool {
	pool := poolName(all[0].thread.Thread.Name)
	for i := range f.last().samples {
		s := &f.last().samples[i]
		if !s.Thread.Virtual && !carries(s) && poolName(s.Thread.Name) == pool {
			return true
		}
	}
	return false
}

// poolName is a worker's name without its number.
func poolName(name string) string { return strings.TrimRight(name, "0123456789") }

// readyVirtual are the virtual threads that want a carrier and have none.
func (f *timeline) readyVirtual(all []carrier) []*Sample {
	v := f.virtualView()
	if v == nil {
		return nil
	}
	on := map[int64]bool{}
	for _, c := range all {
		if c.virtual != nil {
			on[c.virtual.Thread.ID] = true
		}
	}
	var ready []*Sample
	for i := range v.last().samples {
		s := &v.last().samples[i]
		if s.Thread.Virtual && s.State == threaddump.Runnable && s.carrier == 0 && !on[s.Thread.ID] {
			ready = append(ready, s)
		}
	}
	return ready
}

func (f *timeline) carriersBusy(busy []carrier, ready []*Sample) candidate {
	return candidate{Finding: Finding{
		Severity: Warning, Confidence: Proven,
		Title: fmt.Sprintf("%s for a carrier: one virtual thread computes on %s without a pause",
			waitFor(ready), eachCarrier(len(busy))),
		Advice: "Virtual threads are not preempted: let what computes for long run on a pool of platform threads, " +
			"or let it give way with Thread.yield().",
		Culprits: f.carried(busy), Victims: f.virtualRefs(ready), Evidence: f.carrierEvidence(busy),
	}, unlisted: sizeOf(ready) - len(ready), behind: carriersHot(busy)}
}

// carriersHot tells that a finding is of nothing but the CPU that these carriers use:
// for the virtual threads that they run.
func carriersHot(held []carrier) func(effect *Finding) bool {
	carriers := map[threadID]bool{}
	for _, c := range held {
		if c.thread != nil {
			carriers[threadID{id: c.thread.Thread.ID}] = true
		}
	}
	return func(effect *Finding) bool {
		return effect.Kind == KindHotThread && !slices.ContainsFunc(effect.Culprits, func(r ThreadRef) bool { return !carriers[threadIDOf(r)] })
	}
}

func waitFor(ready []*Sample) string {
	n := sizeOf(ready)
	return Counted(n, "virtual thread") + " " + verb(n, "waits", "wait")
}

func eachCarrier(n int) string {
	if n == 1 {
		return "the only one"
	}
	return fmt.Sprintf("each of the %d", n)
}

func (f *timeline) carriersPinned(held []carrier, pinned int, full bool, ready []*Sample) candidate {
	result := Finding{
		Severity: Info, Confidence: Likely,
		Culprits: f.carried(held), Victims: f.virtualRefs(ready), Evidence: f.carrierEvidence(held),
		Advice: f.pinAdvice(held[0]),
	}
	if !slices.ContainsFunc(held, func(c carrier) bool { return !c.stood }) {
		result.Confidence = Proven
	}
	why := f.pinning(held[0])
	waiting := sizeOf(ready) > 0
	switch {
	case full && waiting:
		result.Severity = Critical
		if pinned < len(held) || !f.measurable() {
			result.Severity = Warning
		}
		of := ""
		if pinned < len(held) {
			of = fmt.Sprintf(", %d of them", pinned)
		}
		result.Title = fmt.Sprintf("%s for a carrier, and %s is taken%s by a blocked one that cannot leave: %s",
			waitFor(ready), eachCarrier(len(held)), of, why)
	case full:
		result.Severity = Warning
		result.Title = fmt.Sprintf("of the carriers of virtual threads, %s is taken by a blocked one that cannot leave: %s", eachCarrier(len(held)), why)
	default:
		result.Victims = nil
		result.Title = fmt.Sprintf("%s by a blocked virtual thread that cannot leave: %s",
			Counted(pinned, "carrier")+verb(pinned, " is taken", " are taken, each"), why)
	}
	f.tellPinnedIO(&result, held)
	hot := carriersHot(held)
	c := candidate{Finding: result, behind: func(effect *Finding) bool {
		return hot(effect) || full && waiting && pinned == len(held) && f.isOfWaitingOwner(effect)
	}}
	if result.Victims != nil {
		c.unlisted = sizeOf(ready) - len(ready)
	}
	return c
}

// isOfWaitingOwner tells a finding of a lock whose owner is a virtual thread without a carrier: it gets on only
// once there is one again, unless it waits for others to do something. What it reads may have come.
func (f *timeline) isOfWaitingOwner(effect *Finding) bool {
	v := f.virtualView()
	if effect.Kind != KindLockContention || len(effect.Culprits) != 1 || v == nil {
		return false
	}
	owner := effect.Culprits[0].ID
	return slices.ContainsFunc(v.last().samples, func(s Sample) bool {
		return s.Thread.Virtual && s.Thread.ID == owner && !parkedOnCarrier(s.Stack) && (s.State == threaddump.Runnable || !s.Stack.waitsForOthers())
	}) && !slices.ContainsFunc(f.last().samples, func(s Sample) bool { return s.carrier == owner })
}

// waitsForOthers tells a wait that another thread ends by what it does, other than for a lock or a permit.
func (s *Stack) waitsForOthers() bool {
	switch s.op.kind {
	case opPut, opTake, opExchange, opResult, opLatch, opBarrier, opCondition, opNotify, opJoin, opTermination, opProcess:
		return true
	}
	return false
}

// carried names the virtual threads, or their carriers where the dump does not, with
// the place where each virtual thread stands.
func (f *timeline) carried(all []carrier) []ThreadRef {
	refs := make([]ThreadRef, 0, len(all))
	for _, c := range all {
		var r ThreadRef
		if c.virtual == nil {
			r = f.ref(c.thread)
		} else {
			r = f.virtualView().ref(c.virtual)
		}
		r.CPUPercent = inPercent(f.history(c.thread).share())
		r.setFrame(c.stack.Application)
		refs = append(refs, r)
	}
	slices.SortStableFunc(refs, compareRefs)
	return refs
}

// carrierEvidence quotes, for the first few, who carries whom and the frames that
// may pin.
func (f *timeline) carrierEvidence(all []carrier) []Evidence {
	const shown = 3
	var quotes []Evidence
	for _, c := range all[:min(shown, len(all))] {
		if c.thread.carrier != 0 && f.last().instant {
			quotes = append(quotes, f.quote(len(f.snaps)-1, fmt.Sprintf("Carrying virtual thread #%d", c.thread.carrier), carryingLine(c.thread)))
		}
		for _, frame := range c.suspects(f.monitorsPin()) {
			quotes = append(quotes, f.quoteCarried(c, frame))
		}
	}
	return quotes
}

// quoteCarried cites a frame of a virtual thread from the dump that shows it.
func (f *timeline) quoteCarried(c carrier, frame *threaddump.Frame) Evidence {
	shown, s := f, c.thread
	if c.virtual != nil && c.stack == c.virtual.Stack {
		shown, s = f.virtualView(), c.virtual
	}
	return shown.quoteFrame(len(shown.snaps)-1, s, slices.Index(c.stack.Frames, frame))
}

// carryingLine is where a carrier's dump says whom it carries.
func carryingLine(s *Sample) int32 {
	if s.line == 0 {
		return 0
	}
	return s.line + 1 + int32(strings.Count(s.Thread.Name, "\n"))
}

// virtualRefs names virtual threads; none where no dump lists any.
func (f *timeline) virtualRefs(samples []*Sample) []ThreadRef {
	if len(samples) == 0 {
		return nil
	}
	return f.virtualView().refs(samples)
}
