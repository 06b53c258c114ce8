package analysis

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/jstall/jstall/analysis/finding"
	"github.com/jstall/jstall/analysis/timeline"
	"github.com/jstall/jstall/threaddump"
)

// silence is what was seen of a JVM while it did not answer: moments in order, the last of them with the attempt.
type silence struct {
	answered bool // earlier in the capture
	attempt  *timeline.Attempt
	moments  []timeline.Observation
	threads  []*silentThread // of the last moment, by native id
}

// silentThread is a thread as the kernel alone knows it, over the silence.
type silentThread struct {
	nid  int64
	name string
	kind string
	role threaddump.Role
	// first and last are its first moment and its last.
	first, last timeline.Task
	wall        time.Duration // between the two
	// seen counts its moments, running and stuck those on or for a CPU and those in
	// a wait for a device or file system, napping those in a sleep for a short time.
	seen, running, stuck, napping int
	channel                       string // where it is stuck, if it is or was
}

// seriesSilence is the last failed attempt with what was seen meanwhile, nil if there
// was none that /proc was looked at for.
func seriesSilence(s *timeline.Series) *silence {
	end := len(s.Others) - 1
	for end >= 0 && s.Others[end].Attempt == nil {
		end--
	}
	if end < 0 || s.Others[end].Process == nil {
		return nil
	}
	start := end
	for start > 0 && s.Others[start-1].Attempt == nil {
		start--
	}
	q := &silence{
		answered: len(s.Snaps) > 0 && !s.Others[end].Attempt.Read,
		attempt:  s.Others[end].Attempt, moments: s.Others[start : end+1],
	}
	q.threads = silentThreads(q.moments)
	return q
}

func (q *silence) last() *timeline.Observation { return &q.moments[len(q.moments)-1] }

func (q *silence) first() *timeline.Observation { return &q.moments[0] }

func (q *silence) process() *timeline.Process { return q.last().Process }

func (q *silence) wall() time.Duration { return q.last().At.Value - q.first().At.Value }

func (q *silence) code(codes ...string) bool { return slices.Contains(codes, q.attempt.Code) }

func silentThreads(moments []timeline.Observation) []*silentThread {
	byID := map[int64]*silentThread{}
	for _, m := range moments {
		for nid, task := range m.Tasks {
			t := byID[nid]
			if t == nil {
				t = &silentThread{nid: nid, first: task, wall: -m.At.Value}
				byID[nid] = t
			}
			t.add(task)
		}
	}
	last := moments[len(moments)-1]
	threads := make([]*silentThread, 0, len(last.Tasks))
	for nid := range last.Tasks {
		t := byID[nid]
		t.wall += last.At.Value
		threads = append(threads, t)
	}
	slices.SortFunc(threads, func(a, b *silentThread) int { return cmp.Compare(a.nid, b.nid) })
	nameThreads(threads)
	return threads
}

func (t *silentThread) add(task timeline.Task) {
	t.last = task
	t.seen++
	switch task.State {
	case "R":
		t.running++
	case "D":
		t.stuck++
		t.channel = cmp.Or(task.WaitChannel, t.channel)
	case "S":
		if strings.Contains(task.WaitChannel, "nanosleep") || strings.Contains(task.WaitChannel, "yield") {
			t.napping++
		}
		if slices.Contains(faultWaits[:], task.WaitChannel) {
			t.stuck++
			t.channel = task.WaitChannel
		}
	}
}

// faultWaits are where the kernel waits in state S for those who serve a page: a
// file system in user space, a handler of page faults.
var faultWaits = [...]string{"request_wait_answer", "handle_userfault"}

// nameThreads finds by their names which threads have which job. The java program's own thread only starts the one that
// runs main and then waits for it.
func nameThreads(threads []*silentThread) {
	for i, t := range threads {
		t.name = t.last.Name
		t.kind, t.role = kindOfComm(t.name)
		switch {
		case i == 0 && t.name == "java":
			t.kind, t.role = "vm", threaddump.VM
		case i == 1 && t.name == "java" && threads[0].name == "java":
			t.name = "main"
		}
	}
}

// leastWall is the shortest time over which CPU is reported.
const leastWall = 50 * time.Millisecond

// cpu is what the thread used over the silence; unknown for a single moment.
func (t *silentThread) cpu() timeline.Opt[time.Duration] {
	return timeline.Opt[time.Duration]{Value: t.last.CPU - t.first.CPU, Known: t.wall >= leastWall &&
		t.last.CPU >= t.first.CPU}
}

// queued is how long it wanted a CPU and had none. The kernel enters a wait as it ends, and
// it may have begun before the first moment.
func (t *silentThread) queued() timeline.Opt[time.Duration] {
	a, b := t.first.RunQueue, t.last.RunQueue
	return timeline.Opt[time.Duration]{Value: min(b.Value-a.Value, t.wall), Known: t.wall >= leastWall && a.Known &&
		b.Known && b.Value >= a.Value}
}

// queues reports whether the thread wanted a CPU and had none for half of the time.
func (t *silentThread) queues() bool {
	q := t.queued()
	return q.Known && t.wall > 0 && float64(q.Value) > 0.5*float64(t.wall)
}

// mayComeYet reports whether a thread may have missed the safepoint only for lack of CPU: it had too little to reach
// the next poll of any code that has polls.
func (t *silentThread) mayComeYet() bool {
	const enough = 200 * time.Millisecond
	cpu := t.cpu()
	return t.queues() && (!cpu.Known || cpu.Value < enough)
}

// share is its CPU as a share of a core, 0 where it is unknown.
func (t *silentThread) share() float64 {
	if cpu := t.cpu(); cpu.Known {
		return float64(cpu.Value) / float64(t.wall)
	}
	return 0
}

// mostly reports whether something was true in more than half of the samples.
func (t *silentThread) mostly(times int) bool { return 2*times > t.seen }

// works reports whether the thread was on a CPU, or wanted one, all the time.
func (t *silentThread) works() bool { return t.running == t.seen && t.seen > 1 }

func (t *silentThread) ref() finding.ThreadRef {
	r := finding.ThreadRef{Name: t.name, NativeID: t.nid}
	if cpu := t.cpu(); cpu.Known {
		r.CPUPercent = finding.Rounded(t.share()*100, 10)
	}
	return r
}

func (t *silentThread) row() ThreadReport {
	row := ThreadReport{
		Name: t.name, Kind: t.kind, Role: t.role.String(), NativeID: t.nid,
		CPUSeconds: inSeconds(t.cpu()), RunQueueSeconds: inSeconds(t.queued()),
		KernelState: t.last.State, WaitChannel: t.last.WaitChannel,
		Stack: []string{}, Locks: []string{},
	}
	if t.wall >= leastWall {
		row.ObservedSeconds = finding.Rounded(t.wall.Seconds(), 1e5)
		row.CPUPercent = t.ref().CPUPercent
	}
	return row
}

// thread finds a thread of the JVM by its full name, nil if it is not there.
func (q *silence) thread(name string) *silentThread {
	for _, t := range q.threads {
		if isComm(t.name, name) {
			return t
		}
	}
	return nil
}

// those are the threads for which something holds, the busiest first.
func (q *silence) those(holds func(*silentThread) bool) []*silentThread {
	var out []*silentThread
	for _, t := range q.threads {
		if holds(t) {
			out = append(out, t)
		}
	}
	slices.SortStableFunc(out, func(a, b *silentThread) int { return cmp.Compare(b.share(), a.share()) })
	return out
}

// knownThreads are the JVM's own threads by the beginnings of their names, on 8 to 28, and what they are.
var knownThreads = [...]struct {
	name string
	kind string
	role threaddump.Role
}{
	{"VM Thread", "vm", threaddump.VM}, {"VM Periodic Task Thread", "vm", threaddump.VM},
	{"GC Thread#", "vm", threaddump.GC}, {"GC task thread#", "vm", threaddump.GC}, {"ParGC Thread#", "vm",
		threaddump.GC},
	{"Gang worker#", "vm", threaddump.GC}, {"G1 Main", "vm", threaddump.GC}, {"G1 Conc", "vm", threaddump.GC},
	{"G1 Refine", "vm", threaddump.GC}, {"G1 Service", "vm", threaddump.GC}, {"G1 Young", "vm", threaddump.GC},
	{"Concurrent Mark-Sweep", "vm", threaddump.GC}, {"CMS ", "vm", threaddump.GC},
	{"ZDirector", "vm", threaddump.GC}, {"ZDriver", "vm", threaddump.GC}, {"ZStat", "vm", threaddump.GC},
	{"ZWorker", "vm", threaddump.GC}, {"ZUncommitter", "vm", threaddump.GC}, {"ZUnmapper", "vm", threaddump.GC},
	{"RuntimeWorker#", "vm", threaddump.GC}, {"XDirector", "vm", threaddump.GC}, {"XDriver", "vm", threaddump.GC},
	{"XStat", "vm", threaddump.GC}, {"XWorker", "vm", threaddump.GC}, {"XUncommitter", "vm", threaddump.GC},
	{"XUnmapper", "vm", threaddump.GC}, {"Shenandoah", "vm", threaddump.GC}, {"ShenWorker", "vm", threaddump.GC},
	{"ShenControl", "vm", threaddump.GC}, {"ShenUncommit", "vm", threaddump.GC}, {"ShenRegulator", "vm", threaddump.GC},
	{"StringDedup", "vm", threaddump.GC},
	{"C1 CompilerThread", "java", threaddump.JIT}, {"C2 CompilerThread", "java",
		threaddump.JIT}, {"JVMCI CompilerThread", "java", threaddump.JIT},
	{"Reference Handler", "java", threaddump.JVM}, {"Finalizer", "java", threaddump.JVM},
	{"Signal Dispatcher", "java", threaddump.JVM}, {"Service Thread", "java", threaddump.JVM},
	{"Monitor Deflation Thread", "java", threaddump.JVM}, {"Notification Thread", "java", threaddump.JVM},
	{"Common-Cleaner", "java", threaddump.JVM}, {"Attach Listener", "java", threaddump.JVM},
	{"Sweeper thread", "java", threaddump.JVM}, {"DestroyJavaVM", "java", threaddump.JVM},
	{"VirtualThread-unblocker", "java", threaddump.JVM}, {"Surrogate Locker Thread", "java", threaddump.JVM},
}

// kindOfComm says what a thread is by the kernel's name for it. What is not the
// JVM's own is taken for the application's, though a native library may have made it.
func kindOfComm(comm string) (kind string, role threaddump.Role) {
	for _, k := range knownThreads {
		if isComm(comm, k.name) {
			return k.kind, k.role
		}
	}
	return "java", threaddump.Application
}

// commLimit is the length of the longest name that the kernel keeps.
const commLimit = 15

// isComm reports whether a kernel's name may be that of a thread whose name begins so. The JVM cuts what is too long,
// or, from 27 on, takes out its middle: "G1 Refi..ontrol".
func isComm(comm, begin string) bool {
	const kept = 7
	if len(comm) == commLimit && len(begin) >= kept && comm[:kept] == begin[:kept] && comm[kept:kept+2] == ".." {
		return true
	}
	return strings.HasPrefix(comm, begin[:min(len(begin), commLimit)])
}
