package hotspot

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/jstall/jstall/internal/hotspot/vthread"
)

// Dump is what the memory of a JVM tells of its threads.
type Dump struct {
	// Untested is JVM.Untested of a core file's.
	Untested string
	// Time is when it was taken.
	Time time.Time
	// VM is the name of the JVM, Release its version, Mode how it runs Java: "OpenJDK 64-Bit
	// Server VM", "21.0.13+9", "mixed mode, sharing".
	VM, Release, Mode string
	// Major is the feature release: 8, 21.
	Major   int
	Threads []*Thread
	// Ended counts threads that were in the JVM's list and that the kernel no longer has.
	Ended int
	// ListMoved tells that the list of threads changed each time it was read: threads may be missing.
	ListMoved bool
	// Collecting tells that a collection was under way that stops the program: objects may be half moved.
	Collecting bool

	// Sampling is why threads that run were not sampled, nil if they were or none runs.
	Sampling error
	// Facts are what objects hold that threads wait for or work for.
	Facts Facts
	// Virtual are the virtual threads; nil of a JDK before 21.
	Virtual *Virtual

	// list is the address of the JVM's list of threads.
	list uint64
}

// Thread is a Java thread.
type Thread struct {
	// Address is that of the JVM's own JavaThread.
	Address uint64
	// Name is empty where Unnamed tells that it could not be read.
	Name    string
	Unnamed bool
	rawName characters
	// ID is the Java thread id, 0 for one without a java.lang.Thread (yet).
	ID int64
	// NativeID is the kernel's id in the JVM's own pid namespace.
	NativeID int
	Daemon   bool
	Priority int
	// State is java.lang.Thread.State with what HotSpot adds: "WAITING (parking)".
	State string
	// Condition is HotSpot's own word for what the thread does: "waiting on condition".
	Condition string
	// Running tells that the thread runs Java code: its frames are known to its registers only.
	Running bool
	// Sampled tells that the frames are those of a moment in which it ran, read from its registers. Near tells
	// that it stood in compiled code, which tells its line, and what is inlined there, for some places only: the
	// methods of the innermost frame are those of the next such place, or of the last one.
	Sampled, Near bool
	// Torn tells that the thread moved each time its stack was read. It has no frames then.
	Torn bool
	// Cut is why the stack ends early, empty if it is complete.
	Cut string
	// StackAddress is where the frames begin, 0 without frames.
	StackAddress uint64
	Frames       []Frame
	// Carries is the id of the virtual thread that this one carries, 0 if none. Mounted are the
	// frames of that thread.
	Carries int64
	Mounted []Frame
	// onStack is how many of the innermost frames are those of a mounted virtual thread, whether or not Carries names
	// it; restInHeap reports that its other frames are in the heap, and lastOnStack is the Method of the last one that
	// is not.
	onStack     int
	restInHeap  bool
	lastOnStack uint64
	// Waits is the lock or monitor that the thread waits for, nil if none is known.
	Waits *Wait
	// Allocated is how many bytes the thread has allocated, up to its last full buffer (TLAB); 0 if that is unknown.
	Allocated int64
	// Kernel is what the kernel tells of the thread; nil if it was not asked.
	Kernel *Task

	uses           []*source
	object         uint64
	pending, waits uint64 // ObjectMonitors
	parkBlocker    uint64
	longStack      bool // a sample has copied a part of it only
	ownerID        uint64
	stackLow       uint64
	stackHigh      uint64
	lockStack      []uint64
	// selves are objects of whose methods the thread is inside, see selfClasses; seen is when they were there.
	selves []uint64
	seen   epoch
}

// Frame is a line of a stack.
type Frame struct {
	// Text is as in a dump, without "at ": "java.lang.Thread.sleep(java.base@21.0.1/Thread.java:509)".
	Text  string
	Locks []Lock
	// hidden reports a frame that Java code does not show.
	hidden bool
}

// Lock is a line under a frame: "- locked <0x…> (a X)".
type Lock struct {
	// Action is "locked", "waiting to lock", "waiting on" and so on.
	Action string
	Object Object
	// doubtful tells that the object has no mark of a lock; see findOwners.
	doubtful bool
}

// Wait is what a thread waits for.
type Wait struct {
	Object Object
	// Kind tells how.
	Kind WaitKind
	// OwnerID is the Java id of the thread that owns it, 0 if none does or it is not known.
	OwnerID int64

	monitor uint64 // the ObjectMonitor to enter
}

// WaitKind is how a thread waits.
type WaitKind uint8

const (
	// ToLock: for a monitor that another thread has entered, at first or again after Object.wait().
	ToLock WaitKind = iota + 1
	// InWait: in Object.wait().
	InWait
	// Parked: in LockSupport.park, with this object as the blocker.
	Parked
)

// Task is what the kernel tells of a thread.
type Task struct {
	// TID is the kernel's id in our own pid namespace.
	TID int
	// CPU is its time on a CPU, Elapsed how long ago it started; Aged tells that Elapsed is known.
	CPU, Elapsed time.Duration
	Aged         bool
	// Turns is how often it was given a CPU, 0 where the kernel does not count that.
	Turns int64
}

// Tasks returns the threads that the kernel has of the process, by the id in the JVM's own pid
// namespace. It is asked on a goroutine of its own once the JVM's list was read, so that a thread of
// that list which is not among them has ended.
type Tasks func() (map[int]Task, error)

// read reads all threads once.
func (j *JVM) read(ctx context.Context, now time.Time, tasks Tasks) (*Dump, error) {
	r, err := j.reader(ctx)
	if err != nil {
		return nil, err
	}
	d := &Dump{Time: now, Major: r.major}
	d.describe(&r.vmReader)
	addresses, moved := r.threadList()
	d.ListMoved, d.list = moved, r.u64(r.threads.list)
	kernel := askKernel(tasks)
	for _, at := range addresses {
		d.Threads = append(d.Threads, r.readThread(at))
	}
	r.recheck(d.Threads)
	if err := d.keepAlive(kernel); err != nil {
		return nil, err
	}
	r.readRunning(d, j.registersFor(r.major), j.carriersAlone)
	d.Virtual = readVirtual(r, j, d.Threads, d.Sampling)
	r.findOwners(d.Threads, d.Virtual.lockedLightly(), d.Virtual.monitorWaits())
	d.Facts = readFacts(&r.objectReader, d.Threads, d.Virtual, j.clock)
	locate(d.Facts, d)
	d.Collecting = r.epoch().active
	if err := errors.Join(r.err, r.objects.err); err != nil {
		return nil, fmt.Errorf("the dump is not complete: %w", err)
	}
	return d, nil
}

// Supplement reads what a thread dump lacks that the JVM has given: what threads wait for and work for, and its virtual
// threads. Of threads that run only carriers are sampled, on releases whose own dump does not have the frames of the
// virtual thread that is mounted. Without facts, and without virtual threads in the JVM, no thread is read.
func (j *JVM) Supplement(ctx context.Context, facts bool) (*Dump, error) {
	quiet := *j
	quiet.carriersAlone = true
	if !facts {
		d, used, err := quiet.withoutVirtual(ctx)
		if !used || err != nil {
			return d, err
		}
	}
	read := func() (*Dump, error) { return quiet.read(ctx, time.Time{}, nil) }
	return steadyCycles(nil, j.isStopped == nil, read)
}

// firstMounted is the first release whose dump has the frames of mounted threads.
const firstMounted = 25

// registersFor are the registers that a reading may sample, nil for none.
func (j *JVM) registersFor(major int) Registers {
	if j.carriersAlone && (major < firstVirtual || major >= firstMounted) {
		return nil
	}
	return j.registers
}

// withoutVirtual is a reading of a JVM that has never had a virtual thread; used reports that this one has.
func (j *JVM) withoutVirtual(ctx context.Context) (d *Dump, used bool, err error) {
	r, err := j.reader(ctx)
	if err != nil {
		return nil, false, err
	}
	d = &Dump{Major: r.major, list: r.u64(r.threads.list)}
	if r.major < firstVirtual {
		return d, false, nil
	}
	d.Virtual = &Virtual{}
	return d, j.loadedErr != nil || vthread.Used(&virtualVM{reader: r, jvm: j}), nil
}

// kernelAnswer is what a Tasks has returned.
type kernelAnswer struct {
	tasks map[int]Task
	err   error
}

// askKernel asks while threads are read, as it takes as long. Without Tasks it returns nil.
func askKernel(tasks Tasks) chan kernelAnswer {
	if tasks == nil {
		return nil
	}
	answer := make(chan kernelAnswer, 1)
	go func() {
		var a kernelAnswer
		a.tasks, a.err = tasks()
		answer <- a
	}()
	return answer
}

// keepAlive leaves out threads that the kernel does not have.
func (d *Dump) keepAlive(kernel chan kernelAnswer) error {
	if kernel == nil {
		return nil
	}
	answer := <-kernel
	d.Threads = slices.DeleteFunc(d.Threads, func(t *Thread) bool {
		task, alive := answer.tasks[t.NativeID]
		if alive {
			t.Kernel = &task
		} else if answer.err == nil {
			d.Ended++
		}
		return !alive
	})
	return answer.err
}

// describe reads what the first line of a dump says of the JVM.
func (d *Dump) describe(r *vmReader) {
	const maxText = 4096
	d.Release, _ = r.cstring(r.u64(r.vm.release), maxText)
	description, _ := r.cstring(r.u64(r.vm.description), maxText)
	// "OpenJDK 64-Bit Server VM (21.0.13+9) for linux-amd64 JRE (21.0.13+9), built on …"
	d.VM, _, _ = strings.Cut(description, " (")
	switch {
	case !r.flags["UseInterpreter"]:
		d.Mode = "compiled mode"
	case !r.flags["UseCompiler"]:
		d.Mode = "interpreted mode"
	default:
		d.Mode = "mixed mode"
	}
	if r.flags["UseSharedSpaces"] {
		d.Mode += ", sharing"
	}
}
