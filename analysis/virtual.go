package analysis

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"jstall/threaddump"
)

// VirtualThreads is what is known of a JVM's virtual threads, which are too many to
// list.
type VirtualThreads struct {
	// Count is all that have started and not ended, Mounted those on a carrier; both
	// at one moment, which the JVM takes its time for.
	Count   int  `json:"count"`
	Mounted *int `json:"mounted,omitempty"`
	// States counts by java.lang.Thread.State, "" where the dump does not tell.
	States map[string]int `json:"states"`
	// Groups are threads in one state at one stack, the largest first; Others counts
	// the threads of the groups that are left out.
	Groups []VirtualGroup `json:"groups"`
	Others int            `json:"others,omitempty"`
}

// VirtualGroup is virtual threads that stand alike.
type VirtualGroup struct {
	Count int    `json:"count"`
	State string `json:"state,omitempty"`
	// Name and ID are of one of them.
	Name string `json:"name"`
	ID   int64  `json:"id"`
	// WaitType is what they wait for, as Wait.Type; empty for those that run.
	WaitType string `json:"waitType,omitempty"`
	// Frame is the first application frame, "Class.method"; Stack innermost first.
	Frame string   `json:"frame,omitempty"`
	Stack []string `json:"stack"`
}

const (
	// mostGroups is how many groups a report has.
	mostGroups = 50
	// fewVirtual is how many virtual threads a report lists one by one; of more only
	// those that findings name.
	fewVirtual = 100
)

// ShowsCarriers reports that a text dump shows virtual threads, or what the JVM
// runs them with: a carrier, the threads that wake them, a thread that waits for
// one, and up to 24, where an idle carrier looks like any idle worker, the first
// fork-join pool.
func ShowsCarriers(d *threaddump.Dump) bool {
	major := majorOf(d.Version)
	if major > 0 && major < 21 {
		return false
	}
	for _, t := range d.Threads {
		switch {
		case t.Carrying != 0, t.Virtual, strings.HasPrefix(t.Name, "VirtualThread-un"), slices.ContainsFunc(t.Stack, servesVirtual):
			return true
		case major < 25 && strings.HasPrefix(t.Name, "ForkJoinPool-1-worker-") && applicationFrame(t.Stack) == nil:
			return true
		}
	}
	return false
}

// virtualUnseen reports that there seem to be virtual threads that no dump lists.
func (f *timeline) virtualUnseen() bool {
	return f.virtualView() == nil && slices.ContainsFunc(f.snaps, func(s *snapshot) bool { return s.carriers })
}

// servesVirtual tells frames of threads that run virtual threads or wait for them.
func servesVirtual(f *threaddump.Frame) bool {
	return f.Class == "java.lang.VirtualThread" || f.Class == juc+"ThreadPerTaskExecutor" ||
		f.Class == "jdk.internal.misc.ThreadFlock"
}

// majorOf is the feature release of a build such as "21.0.13+9", 8 of "25.504-b01",
// which is the virtual machine's own; 0 if unknown.
func majorOf(version string) int {
	digits := version[:len(version)-len(strings.TrimLeft(version, "0123456789"))]
	major, _ := strconv.Atoi(digits)
	if rest := version[len(digits):]; major == 25 && !strings.Contains(version, "+") && strings.Contains(rest, "-b") {
		return 8
	}
	return major
}

// NeedsConfirmation reports that a dump which is no single moment shows virtual
// threads in waits for locks or permits, or subtasks of a scope in I/O: whether they are
// stuck, another dump tells.
func NeedsConfirmation(d *threaddump.Dump) bool {
	s := newSnapshot(Observation{Dump: d}, 0, newInterner())
	locks, permits, subtasks := 0, 0, 0
	for i := range s.samples {
		t := &s.samples[i]
		if !t.Thread.Virtual {
			continue
		}
		switch op := t.Stack.op.kind; {
		case t.wait.forLock(), op == opLock, op == opReadLock:
			locks++
		case op == opPermit, t.wait == waitPermit:
			permits++
		case t.isSubtaskInIO():
			subtasks++
		}
	}
	return locks > 0 || permits > 1 || subtasks > 0
}

// split parts the dumps that Java code wrote, thread by thread, from those that the
// JVM took in one moment, where both are there of one JVM. The former are a series
// of their own: they tell of virtual threads, and nothing of CPU.
func (s *Series) split() (moments, written []*snapshot) {
	for _, snap := range s.snaps {
		if snap.instant || len(snap.samples) == 0 {
			moments = append(moments, snap)
		} else {
			written = append(written, snap)
		}
	}
	if len(moments) == 0 || len(written) == 0 {
		return s.snaps, nil
	}
	last, live := moments[len(moments)-1], written[0].at.Known
	if !live && differentJVM(last, written[0]) != "" {
		return s.snaps, nil
	}
	return moments, written
}

// inferredState is the state of a virtual thread where the dump tells none (21 to 24):
// by the method that it gave up its carrier in, or would have if it could. Unknown
// for one that runs or enters a monitor.
func inferredState(frames []*threaddump.Frame) threaddump.State {
	if len(frames) == 0 {
		return threaddump.Runnable // it has not run yet
	}
	state := threaddump.StateUnknown
	for _, f := range frames[:min(6, len(frames))] {
		switch {
		case f.Class == "java.lang.Object" && strings.HasPrefix(f.Method, "wait"):
			return threaddump.Waiting
		case f.Class != "java.lang.VirtualThread":
			continue
		case strings.HasSuffix(f.Method, "Nanos"):
			return threaddump.TimedWaiting
		case strings.HasPrefix(f.Method, "park"):
			state = threaddump.Waiting
		case strings.HasPrefix(f.Method, "tryYield"), strings.HasPrefix(f.Method, "runContinuation"):
			return threaddump.Runnable
		}
	}
	return state
}

// withState is the thread with the state that its stack tells, where the dump does
// not.
func withState(t *threaddump.Thread) *threaddump.Thread {
	if !t.Virtual || t.State != threaddump.StateUnknown {
		return t
	}
	inferred := *t
	inferred.State = inferredState(t.Stack)
	return &inferred
}

// virtualView is the facts that tell of virtual threads: those from what Java code
// wrote, else f's own; nil if no dump lists any.
func (f *timeline) virtualView() *timeline {
	v := f
	if f.written != nil {
		v = f.written
	}
	for i := range v.last().samples {
		if v.last().samples[i].Thread.Virtual {
			return v
		}
	}
	return nil
}

// placeOf is the frame that stands for a thread: the application's, else a library's. For a
// carrier whose virtual thread is listed elsewhere it is the frame of that virtual thread.
func (f *timeline) placeOf(s *Sample) *threaddump.Frame {
	if s.Stack.Application != nil {
		return s.Stack.Application
	}
	if s.carrier == 0 || s.Thread.Virtual {
		return s.Stack.lead()
	}
	if v := f.byCarried()[s.carrier]; v != nil {
		return v.Stack.Application
	}
	return nil
}

// size is how many threads a sample stands for.
func (s *Sample) size() int { return 1 + int(s.alike) }

// sizeOf is how many threads some samples stand for.
func sizeOf(samples []*Sample) int {
	n := 0
	for _, s := range samples {
		n += s.size()
	}
	return n
}

// virtualThreads sums the virtual threads of the last dump that lists them.
func (f *timeline) virtualThreads() *VirtualThreads {
	v := f.virtualView()
	if v == nil {
		return nil
	}
	type at struct {
		stack *Stack
		state threaddump.State
	}
	sum := &VirtualThreads{States: map[string]int{}, Groups: []VirtualGroup{}}
	groups, texts := map[at]*VirtualGroup{}, map[*Stack][]string{}
	for i := range v.last().samples {
		s := &v.last().samples[i]
		if !s.Thread.Virtual {
			continue
		}
		sum.Count += s.size()
		sum.States[s.State.String()] += s.size()
		g := groups[at{s.Stack, s.State}]
		if g == nil {
			g = &VirtualGroup{
				State: s.State.String(), Name: s.Thread.Name, ID: s.Thread.ID, WaitType: s.waitType(), Stack: stackText(s.Stack, texts),
			}
			if s.Stack.Application != nil {
				g.Frame = s.Stack.Application.Name()
			}
			groups[at{s.Stack, s.State}] = g
		}
		g.Count += s.size()
	}
	sum.addGroups(listOf(groups))
	sum.Mounted = f.mounted()
	return sum
}

func listOf[K comparable](groups map[K]*VirtualGroup) []VirtualGroup {
	list := make([]VirtualGroup, 0, len(groups))
	for _, g := range groups {
		list = append(list, *g)
	}
	return list
}

// addGroups keeps the largest groups in a total order.
func (t *VirtualThreads) addGroups(groups []VirtualGroup) {
	slices.SortFunc(groups, func(a, b VirtualGroup) int {
		return cmp.Or(cmp.Compare(b.Count, a.Count), cmp.Compare(a.ID, b.ID))
	})
	for i, g := range groups {
		if i < mostGroups {
			t.Groups = append(t.Groups, g)
		} else {
			t.Others += g.Count
		}
	}
}

// mounted counts the virtual threads that are on a carrier; nil where no dump tells.
// Of what Java code writes only JSON does, from 25 on.
func (f *timeline) mounted() *int {
	n := 0
	for i := range f.last().samples {
		s := &f.last().samples[i]
		n += one(!s.Thread.Virtual && s.carrier != 0)
	}
	if n == 0 && !f.last().instant {
		return nil
	}
	return &n
}

// virtualRows are the rows of virtual threads: all of a few, else those that
// findings name.
func (f *facts) virtualRows(found []Finding) []ThreadReport {
	v := f.virtualView()
	if v == nil || v == f.timeline {
		return nil
	}
	wanted := v.fewOr(involved(found))
	return threadReports(f.writtenFacts.lockFacts, func(t *Thread) bool { return t.Virtual && wanted(t) })
}

// fewOr wants every thread where there are few virtual ones, else all platform
// threads and those virtual ones that are named.
func (f *timeline) fewOr(named func(*Thread) bool) func(*Thread) bool {
	n := 0
	for i := range f.last().samples {
		if s := &f.last().samples[i]; s.Thread.Virtual {
			n += s.size()
		}
	}
	if n <= fewVirtual {
		return everyThread
	}
	return func(t *Thread) bool { return !t.Virtual || named(t) }
}

// aboutVirtual keeps the findings of what Java code wrote that are about virtual
// threads, with what only the other dumps tell of the platform threads in them. Where no
// carrier has run one over the capture, a full queue was full throughout.
func (f *timeline) aboutVirtual(kind Kind, found []candidate) []candidate {
	for i := range found {
		if c := &found[i]; kind == KindQueueFull && c.Severity == Info && len(c.Culprits)+len(c.Victims) > 1 && f.carriersRested() {
			c.Severity, c.Confidence = Warning, Likely
		}
	}
	return slices.DeleteFunc(found, func(c candidate) bool {
		virtual := false
		for _, refs := range [][]ThreadRef{c.Culprits, c.Victims} {
			for i := range refs {
				if h := f.byKey.of(key{id: refs[i].ID}); h != nil {
					refs[i].NativeID, refs[i].CPUPercent = h.thread.NativeID, inPercent(h.share())
				} else if h := f.written.byKey.of(key{id: refs[i].ID}); h != nil && h.thread.Virtual {
					virtual = true
				}
			}
		}
		return !virtual
	})
}
