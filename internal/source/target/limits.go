package target

import (
	"fmt"
	"sync"
	"time"

	"github.com/jstall/jstall/attach"
	"github.com/jstall/jstall/internal/kernel"
)

// spareThreads is how many threads must be left beyond those that are asked for: between the check and the start of the
// listener the JVM may start a compiler thread or two. jstall may be in the same control group, and starts some too.
const spareThreads = 4

// The memory that an answer takes, as measured on 8, 17 and 25 (dumps of 10 and 1,500 threads, 10 and 100 frames deep):
// the JVM holds the whole text in memory until it is written, about 1.1 KB for a thread of 10 frames and 4.3 KB for one
// of 100, and up to a quarter more; its listener takes 0.3 MB once. jstall takes 13 KB for each thread in three dumps.
const (
	jvmBase, jvmPerThread = 1 << 20, 6 << 10
	ownBase, ownPerThread = 8 << 20, 16 << 10
)

// Limits checks for attach what the kernel's limits leave. It makes no request and sends no signal.
type Limits struct {
	kernel *kernel.Reader

	mu     sync.Mutex
	memory map[int]memoryChecked
}

type memoryChecked struct {
	at    time.Time
	check attach.Check
}

func NewLimits(k *kernel.Reader) *Limits { return &Limits{kernel: k, memory: map[int]memoryChecked{}} }

// Threads implements attach.Limits: the limits on threads of every control group above
// the process, of its user and of the machine.
func (r *Limits) Threads(pid, n int) attach.Check {
	const name = "threads"
	bounds := append(r.kernel.GroupTasks(pid), r.kernel.MachineTasks()...)
	if b, ok := r.kernel.UserTasks(pid); ok {
		bounds = append(bounds, b)
	}
	if len(bounds) == 0 {
		return attach.Check{Name: name, Result: attach.Unknown, Detail: "the kernel reports no limit on threads"}
	}
	tightest := bounds[0]
	for _, b := range bounds {
		if b.Free() < tightest.Free() {
			tightest = b
		}
	}
	needed := int64(n + spareThreads)
	if tightest.Free() >= needed {
		return attach.Check{
			Name: name, Result: attach.OK,
			Detail: fmt.Sprintf("there is room for %s more threads (%s)", upTo(tightest.Free()), tightest.File),
		}
	}
	return attach.Check{Name: name, Result: attach.NotOK, Code: attach.CodeThreads,
		Detail: fmt.Sprintf(
			"%d of %d threads in use (%s); %d must be free, or starting the attach listener ends the JVM",
			tightest.Used, tightest.Limit, tightest.File, needed),
		Remedy: raiseThreads(pid, tightest, tightest.Used+needed)}
}

// upTo formats a number, and cuts it off where a larger one makes no difference.
func upTo(n int64) string {
	const many = 1000
	if n > many {
		return fmt.Sprintf("over %d", many)
	}
	return fmt.Sprint(n)
}

// raiseThreads is the command that raises a limit on threads to at least enough.
func raiseThreads(pid int, b kernel.Bound, enough int64) string {
	more := enough + enough/4 + b.Reserved
	switch b.File {
	case "RLIMIT_NPROC":
		return fmt.Sprintf("prlimit --pid %d --nproc=%d, or end other processes of its user", pid, more)
	case "kernel.threads-max", "kernel.pid_max":
		return fmt.Sprintf("sysctl -w %s=%d, and find the process that starts so many threads", b.File, more)
	}
	return fmt.Sprintf(
		"echo %d > %s (with Docker: docker update --pids-limit %d CONTAINER), or find the threads that never end",
		more, b.File, more)
}

// Files implements attach.Limits.
func (r *Limits) Files(pid, n int) attach.Check {
	const name = "files"
	own, err := r.kernel.FreeFiles(pid)
	if err != nil {
		return attach.Check{
			Name: name, Result: attach.Unknown, Detail: "its open files are not ours to count", Err: err,
		}
	}
	bad := attach.Check{Name: name, Result: attach.NotOK, Code: attach.CodeFiles}
	if own.Free() < int64(n) {
		bad.Detail = fmt.Sprintf("%d of %d file descriptors in use (RLIMIT_NOFILE); %s", own.Used, own.Limit,
			whyFiles(n))
		bad.Remedy = fmt.Sprintf(
			"prlimit --nofile=%d --pid %d, and find the streams and sockets that are never closed (ls -l /proc/%d/fd)",
			own.Limit+64, pid, pid)
		return bad
	}
	if all, ok := r.kernel.MachineFiles(pid); ok && all.Free() < int64(n) {
		bad.Detail = fmt.Sprintf("%d of %d open files of the machine in use (%s); %s", all.Used, all.Limit, all.File,
			whyFiles(n))
		bad.Remedy = fmt.Sprintf("sysctl -w fs.file-max=%d", all.Limit+all.Limit/4+1024)
		return bad
	}
	return attach.Check{
		Name: name, Result: attach.OK,
		Detail: fmt.Sprintf("%d of %d file descriptors are in use", own.Used, own.Limit),
	}
}

func whyFiles(n int) string {
	if n == 1 {
		return "1 must be free, or a connection ends the attach listener for good"
	}
	return fmt.Sprintf("%d must be free, or the attach listener ends for good when it starts", n)
}

// memoryStays is how long a result on memory is reused: the kernel takes longer to sum a group's memory than for all
// other checks.
const memoryStays = time.Second

// Memory implements attach.Limits: every control group above the target and above jstall, and the machine.
func (r *Limits) Memory(pid, threads int) attach.Check {
	r.mu.Lock()
	defer r.mu.Unlock()
	if was, ok := r.memory[pid]; ok && time.Since(was.at) < memoryStays {
		return was.check
	}
	kernel.RaiseOOMScore()
	check := checkMemory(r.kernel.MemoryBounds(pid), int64(threads))
	r.memory[pid] = memoryChecked{time.Now(), check}
	return check
}

func checkMemory(bounds []kernel.MemoryBound, threads int64) attach.Check {
	const name = "memory"
	if len(bounds) == 0 {
		return attach.Check{Name: name, Result: attach.Unknown, Detail: "the kernel reports no limit on memory"}
	}
	var worst attach.Check
	var tightest kernel.MemoryBound
	for i, b := range bounds {
		if i == 0 || b.Room() < tightest.Room() {
			tightest = b
		}
		if c := memoryShort(b, threads); c.Result == attach.NotOK &&
			(worst.Result == "" || c.Harm == attach.HarmCertain) {
			worst = c
		}
	}
	if worst.Result != "" {
		return worst
	}
	return attach.Check{Name: name, Result: attach.OK,
		Detail: fmt.Sprintf("%s left; a dump of %d threads takes about %s in the JVM", inMB(tightest.Room()), threads,
			inMB(jvmBase+threads*jvmPerThread))}
}

// memoryShort compares one limit with the memory that the answer takes.
func memoryShort(b kernel.MemoryBound, threads int64) attach.Check {
	inJVM, inOurs := jvmBase+threads*jvmPerThread, ownBase+threads*ownPerThread
	needed, what := int64(0), ""
	switch {
	case b.Theirs && b.Ours:
		needed, what = inJVM+inOurs, fmt.Sprintf("%s in the JVM and %s in jstall", inMB(inJVM), inMB(inOurs))
	case b.Theirs:
		needed, what = inJVM, inMB(inJVM)+" in the JVM"
	default:
		needed, what = inOurs, inMB(inOurs)+" in jstall"
	}
	if b.Room() >= needed {
		return attach.Check{Result: attach.OK}
	}
	c := attach.Check{Name: "memory", Result: attach.NotOK, Code: attach.CodeMemory, Harm: attach.HarmLikely}
	if b.Theirs && !b.Slows && b.Room() < inJVM { // the OOM killer may take the JVM
		c.Harm = attach.HarmCertain
	}
	end := "the kernel would kill a process of the group"
	switch {
	case b.Slows:
		end = "the kernel would slow the group down"
	case b.File == "MemAvailable":
		end = "the kernel would kill a process"
	}
	c.Detail = fmt.Sprintf("%s of %s left (%s); a dump of %d threads takes about %s: %s", inMB(b.Room()),
		inMB(b.Limit), b.File, threads, what, end)
	c.Remedy = "run jstall outside of the JVM's control group, or give the machine more memory"
	if b.File != "MemAvailable" {
		c.Remedy = fmt.Sprintf("echo %d > %s (or kubectl/docker update with more memory)",
			b.Limit+2*(needed-b.Room())+1<<20, b.File)
		if b.Ours && b.Theirs {
			c.Remedy += ", or run jstall outside of the JVM's control group"
		}
	}
	if c.Harm == attach.HarmLikely {
		c.Remedy += "; --attach-anyway attaches nevertheless"
	}
	return c
}

func inMB(bytes int64) string { return fmt.Sprintf("%.1f MB", float64(bytes)/(1<<20)) }
