package virtual

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/jstall/jstall/internal/hotspot/object"
	"github.com/jstall/jstall/internal/hotspot/stack"
	"github.com/jstall/jstall/internal/hotspot/thread"
	"github.com/jstall/jstall/internal/hotspot/vm"
	"github.com/jstall/jstall/internal/hotspot/vthread"
)

// Set is what was read of the virtual threads.
type Set struct {
	// Threads in the order of their ids.
	Threads []Thread
	// Found is how many there are, more than len(Threads) where some could not be read in time.
	Found int
	// Missing is why threads may be missing, empty if all were found.
	Missing string
	// Parallelism is how many carriers the default scheduler starts, 0 if it is not known.
	Parallelism int

	containers []vthread.Container
	// Selves are the objects of whose methods an unmounted thread is inside, see selfClasses; nil: none was read.
	Selves func(*Thread) []uint64
	// Latches are those at which others wait for the end of threads, see vthread.Threads.Ends; nil: none was read.
	Latches func() map[uint64]int64
}

// Thread is a virtual thread.
type Thread struct {
	*vthread.Thread
	// CarrierID is the Java id of the platform thread that carries it, 0 if none does.
	CarrierID int64
	// JavaState is java.lang.Thread.State with what HotSpot adds: "WAITING (parking)".
	JavaState string
	// Frames are its stack, innermost first, without hidden ones. Threads with the same stack share them: they have no
	// locks, except those of mounted threads.
	Frames []thread.Frame
	// Unread is why the stack is not known, empty if it is, or if the thread has none.
	Unread string
	// Waits is what it waits for, nil if nothing is known.
	Waits *thread.Wait
	// Condition is HotSpot's own word for what its carrier does, where the state does not show it: "in Object.wait()"
	// of a thread that waits for the initialisation of a class. Initialises is that class, empty if it is not known.
	Condition, Initialises string
	// Monitors are monitors that it has entered, in frames that are not known.
	Monitors []object.ID
}

// limit is how long virtual threads are read: ten times what it takes on a machine that is not busy.
var limit = vthread.Limit{Base: 2 * time.Second, PerThread: 100 * time.Microsecond}

// FirstRelease is the first release that has virtual threads.
const FirstRelease = 21

// Read reads the virtual threads. Where this cannot be done, Missing of the result is the reason.
//
// platform are the threads that were read. registers may be sampled, nil: none. unsampled is why running threads were
// not sampled, nil if they were.
func Read(in *JVM, platform []*thread.Thread, registers stack.Registers, unsampled error) *Set {
	in.platform, in.registers = platform, registers
	if in.Reader.Major < FirstRelease {
		return nil
	}
	if err := in.jvm.LoadedErr; err != nil {
		return &Set{Missing: err.Error()}
	}
	read, err := vthread.Read(in, limit)
	if err != nil {
		return &Set{Missing: err.Error()}
	}
	if len(read.Threads) == 0 {
		return &Set{Missing: read.Missing, Found: read.Found}
	}
	a := &assembler{JVM: in, unsampled: unsampled, read: read}
	return a.assemble()
}

// assembler puts together what was read of virtual threads and of their carriers.
type assembler struct {
	*JVM
	// unsampled is why running threads were not sampled, nil if they were.
	unsampled error
	read      *vthread.Threads
	// stacks are the lines of read.Stacks, nil where they were not needed yet.
	stacks [][]thread.Frame
	// byText are these by their lines: code that was compiled in another way gives the same lines.
	byText map[string][]thread.Frame
	// carriers are indices of the dump's threads by the address of their java.lang.Thread.
	carriers map[uint64]int
	// ends are the ids of threads by what those park for that wait for their end; nil until it is needed.
	ends map[uint64]int64
	// sampling ends when carriers are sampled no more.
	sampling context.Context
	// initLocks are the names of classes that are initialised, by the objects that others wait for meanwhile; nil until
	// they are needed.
	initLocks map[uint64]string
}

func (a *assembler) assemble() *Set {
	sampling, cancel := context.WithTimeout(a.Ctx, thread.MostSampling)
	defer cancel()
	a.sampling = sampling
	a.findCarriers()
	v := &Set{
		Threads: make([]Thread, len(a.read.Threads)), Found: max(a.read.Found, len(a.read.Threads)),
		Missing: a.read.Missing, Parallelism: a.read.Parallelism, containers: a.read.Containers, Selves: a.selves,
		Latches: a.read.Ends,
	}
	for i, t := range a.read.Threads {
		v.Threads[i].Thread = t
		if t.Carrier != 0 || t.Why == vthread.Mounted {
			a.mounted(&v.Threads[i])
		}
	}
	a.dropChanged()
	a.stacks = make([][]thread.Frame, len(a.read.Stacks))
	a.Forget()
	a.Objects.Forget()
	a.byText = map[string][]thread.Frame{}
	for i := range v.Threads {
		t := &v.Threads[i]
		a.KeepFew()
		a.Objects.KeepFew()
		if t.Stack >= 0 {
			t.Frames = a.lines(t.Stack)
		} else if t.Unread == "" {
			t.Unread = unreadWhy(t.Why)
		}
		if t.JavaState == "" {
			t.JavaState = javaState(t.State)
		}
		if w, ok := t.Thread.Waits.(*thread.Wait); ok && t.Waits == nil {
			t.Waits = w
		}
		a.joined(t)
		a.initialised(t)
	}
	return v
}

// findCarriers finds the platform threads by their java.lang.Thread.
func (a *assembler) findCarriers() {
	a.carriers = map[uint64]int{}
	for n, t := range a.platform {
		a.KeepFew()
		if object := a.Root(t.Address+a.Thread.Object, a.Thread.ObjectIsHandle); object != 0 {
			a.carriers[object] = n
		}
	}
}

// mounted takes the frames of a mounted thread from the stack of its carrier.
func (a *assembler) mounted(t *Thread) {
	for left := vm.Attempts - 1; left >= 0; left-- {
		if n, ok := a.carrierOf(t); ok && a.takeMounted(t, n, left == 0) {
			return
		}
	}
	if t.Why == vthread.Mounted {
		t.Why = vthread.Moved
	}
}

// carrierOf is which thread of the dump carries a virtual one. It is read again where it shows none.
func (a *assembler) carrierOf(t *Thread) (n int, ok bool) {
	n, known := a.carriers[a.Current(t.Carrier)]
	if t.Carrier == 0 || !known {
		return 0, false
	}
	if c := a.platform[n]; c.Carries != t.ID && c.OnStack == 0 || c.Torn {
		a.platform[n] = a.ReadAgain(c)
	}
	return n, true
}

// takeMounted gives a mounted thread what its carrier shows, if the thread is mounted as before in the end; false if it
// must be looked at again.
func (a *assembler) takeMounted(t *Thread, n int, last bool) bool {
	c := a.platform[n]
	if c.Carries != 0 && c.Carries != t.ID {
		return !a.read.Reread(t.Thread) && t.Why != vthread.Mounted
	}
	frames, whole := a.onCarrier(t, c)
	if c.RestInHeap {
		frames, whole = a.withRest(t, n)
		c = a.platform[n]
	}
	if !a.read.Reread(t.Thread) {
		if t.Why != vthread.Mounted {
			return true // it is unmounted now, and its stack was read
		}
		a.platform[n] = a.ReadAgain(c)
		return false
	}
	if !whole && c.RestInHeap && !last {
		return false
	}
	a.take(t, c, frames, whole)
	return true
}

// onCarrier are the frames of a mounted thread on the stack of its carrier; false if they are not whole.
func (a *assembler) onCarrier(t *Thread, c *thread.Thread) ([]thread.Frame, bool) {
	frames := c.Mounted
	if c.Carries == 0 {
		frames = c.Frames[:min(c.OnStack, len(c.Frames))]
	} else if len(frames) == 0 && c.RestInHeap {
		frames = c.Frames // on 21 the walk ends where the others begin
	}
	if len(frames) == 0 {
		return nil, false
	}
	return visible(frames), c.RestInHeap || c.Cut == "" || len(c.Frames) > 0
}

// visible are the frames that Java code shows.
func visible(frames []thread.Frame) []thread.Frame {
	return slices.DeleteFunc(slices.Clone(frames), func(f thread.Frame) bool { return f.Hidden })
}

// take gives a mounted thread what its carrier shows.
func (a *assembler) take(t *Thread, c *thread.Thread, frames []thread.Frame, whole bool) {
	t.CarrierID = c.ID
	t.JavaState = javaState(t.State)
	if t.State == "RUNNING" {
		t.JavaState = c.State
	}
	switch {
	case !whole && len(frames) == 0:
		if t.Unread = c.Unread(a.unsampled); t.Unread == "" {
			t.Unread = "its carrier runs code of the JVM, or shows no frame of it"
		}
		return
	case !whole:
		t.Unread = "a part of its frames is in the heap and could not be read"
		return
	}
	t.Frames, t.Why, t.Stack = frames, vthread.Known, -1
	if w := c.Waits; w != nil && w.Kind != thread.Parked {
		own := *w
		t.Waits = &own
	}
	if t.Waits == nil && t.JavaState == "RUNNABLE" && c.Condition == thread.Conditions[thread.InObjectWait] {
		t.Condition = c.Condition
	}
}

// dropChanged takes the stack from threads whose code or methods have changed since they were read.
func (a *assembler) dropChanged() {
	changed := a.Changed()
	if len(changed) == 0 {
		return
	}
	for _, t := range a.read.Threads {
		if t.Stack >= 0 && slices.ContainsFunc(a.uses[t.Stack], func(s *stack.Source) bool { return changed[s] }) {
			t.Stack, t.Why = -1, vthread.Moved
		}
	}
}

// lines are the frames of a stack.
func (a *assembler) lines(stack int32) []thread.Frame {
	if a.stacks[stack] == nil {
		frames := make([]thread.Frame, 0, len(a.read.Stacks[stack]))
		text := &strings.Builder{}
		for _, line := range a.read.Stacks[stack] {
			if !line.Hidden {
				frames = append(frames, thread.Frame{Text: line.Text})
				text.WriteString(line.Text)
				text.WriteByte('\n')
			}
		}
		if same, known := a.byText[text.String()]; known {
			frames = same
		}
		a.byText[text.String()], a.stacks[stack] = frames, frames
	}
	return a.stacks[stack]
}

const MovedEachTime = "it moved each time it was read"

func unreadWhy(why vthread.Why) string {
	switch why {
	case vthread.Mounted, vthread.Moved:
		return MovedEachTime
	case vthread.InTransition:
		return "it was being mounted or unmounted"
	case vthread.Unread:
		return "its frames in the heap cannot be read"
	}
	return ""
}

// javaState is Thread.State as VirtualThread.threadState gives it, in the words of HotSpot.
func javaState(state string) string {
	switch state {
	case "NEW":
		return "NEW"
	case "PARKED", "PINNED":
		return "WAITING (parking)"
	case "TIMED_PARKED", "TIMED_PINNED":
		return "TIMED_WAITING (parking)"
	case "WAIT":
		return "WAITING (on object monitor)"
	case "TIMED_WAIT":
		return "TIMED_WAITING (on object monitor)"
	case "BLOCKED", "BLOCKING":
		return thread.Blocked
	case "TERMINATED":
		return "TERMINATED"
	}
	return "RUNNABLE"
}

// All are all threads that were read, none of a JDK before 21.
func (v *Set) All() []Thread {
	if v == nil {
		return nil
	}
	return v.Threads
}

// MonitorWaits are the waits of virtual threads for a monitor that another thread has entered.
func (v *Set) MonitorWaits() []*thread.Wait {
	var waits []*thread.Wait
	for i := range v.All() {
		if w := v.Threads[i].Waits; w != nil && w.Monitor != 0 {
			waits = append(waits, w)
		}
	}
	return waits
}

// LockedLightly are the ids of unmounted threads by the objects that they have locked lightly.
func (v *Set) LockedLightly() map[uint64]int64 {
	locked := map[uint64]int64{}
	for i := range v.All() {
		for _, object := range v.Threads[i].Locked {
			locked[object] = v.Threads[i].ID
		}
	}
	return locked
}

// ContainerOf is the container of a thread, as a report shows it; empty for the root.
func (v *Set) ContainerOf(t *Thread) vthread.Container {
	if int(t.Container) < len(v.containers) {
		return v.containers[t.Container]
	}
	return vthread.Container{}
}

// String names a thread: `"order-7" #4711`.
func (t *Thread) String() string { return fmt.Sprintf("%q #%d", t.Name, t.ID) }
