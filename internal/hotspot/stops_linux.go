package hotspot

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"runtime"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"
)

// AllowStops lets Dump stop threads that run Java code, one at a time, where their registers cannot be
// sampled. A stop takes some milliseconds on a busy machine. One that takes more than 10 ms is the last one.
func (p *Process) AllowStops() {
	if p.stops == nil {
		p.stops = newStopper(p)
		p.registers = &either{p.registers, p.stops}
	}
}

// Stops is the cost so far.
func (p *Process) Stops() Stops {
	if p.stops == nil {
		return Stops{}
	}
	return p.stops.cost
}

// either samples, or stops threads if it may not sample.
type either struct {
	samples Registers
	stops   Registers
}

func (e *either) Sample(ctx context.Context, tids []int) (map[int]Snapshot, error) {
	snapshots, err := e.samples.Sample(ctx, tids)
	if errors.Is(err, fs.ErrPermission) || errors.Is(err, unix.ENOSYS) {
		return e.stops.Sample(ctx, tids)
	}
	return snapshots, err
}

const (
	// longestStop is how long a thread may be stopped: after a longer stop there is no other.
	longestStop = 10 * time.Millisecond
)

// errSlowStop is why threads are not stopped any more.
var errSlowStop = fmt.Errorf("stopping a thread took longer than %v", longestStop)

// stopper stops threads by ptrace(2) and reads their registers.
type stopper struct {
	memory  processMemory
	numbers registerNumbers
	cost    Stops
}

func newStopper(p *Process) *stopper {
	return &stopper{memory: processMemory(p.pid), numbers: frameLayouts[p.machine](0).saved}
}

// Sample stops each thread in turn.
func (s *stopper) Sample(ctx context.Context, tids []int) (map[int]Snapshot, error) {
	snapshots := map[int]Snapshot{}
	var failed error
	onOwnThread(func() {
		for _, tid := range tids {
			if s.cost.Longest > longestStop {
				failed = errSlowStop
			}
			if failed != nil || ctx.Err() != nil {
				return
			}
			var snapshot Snapshot
			if snapshot, failed = s.snapshot(tid); failed == nil {
				snapshots[tid] = snapshot
			} else if errors.Is(failed, unix.ESRCH) { // it has ended
				failed = nil
			}
		}
	})
	if len(snapshots) == 0 {
		return nil, failed
	}
	return snapshots, nil
}

// onOwnThread runs work on a thread that ends with it: the kernel then lets go of all that it traces. The main
// thread of a program never ends.
func onOwnThread(work func()) {
	done := make(chan struct{})
	go func() {
		defer close(done)
		runtime.LockOSThread()
		if unix.Gettid() == unix.Getpid() {
			defer runtime.UnlockOSThread()
			onOwnThread(work)
			return
		}
		work()
	}()
	<-done
}

// snapshot stops a thread for as long as reading its registers and its stack takes.
func (s *stopper) snapshot(tid int) (Snapshot, error) {
	if err := seize(tid); err != nil {
		return Snapshot{}, err
	}
	begin := time.Now()
	defer func() {
		took := time.Since(begin)
		s.cost.Count++
		s.cost.Total += took
		s.cost.Longest = max(s.cost.Longest, took)
	}()
	signal, err := stop(tid, begin.Add(longestStop))
	if err != nil {
		return Snapshot{}, err
	}
	defer release(tid, signal)
	var words [registerWords]uint64
	if err := readRegisters(tid, &words); err != nil {
		return Snapshot{}, err
	}
	n := s.numbers
	snapshot := Snapshot{
		PC: words[n.pc], SP: words[n.sp], FP: words[n.fp], BCP: words[n.bcp], Thread: words[n.thread],
	}
	snapshot.Stack = readMost(s.memory, snapshot.SP, copied)
	return snapshot, nil
}

// seize begins to trace a thread, which runs on. If we end, the kernel lets go of the thread.
func seize(tid int) error {
	if err := unix.PtraceSeize(tid); err != nil {
		return fmt.Errorf("ptrace: %w", err)
	}
	return nil
}

// stop stops a thread that is traced. A signal may arrive at that moment: it is returned, and goes on to the thread
// when that is released. A thread that does not stop in time is released when our own thread ends.
func stop(tid int, until time.Time) (signal unix.Signal, err error) {
	const eager, pause = 200 * time.Microsecond, 100 * time.Microsecond
	if err := unix.PtraceInterrupt(tid); err != nil {
		return 0, fmt.Errorf("ptrace: %w", err)
	}
	for begin := time.Now(); ; {
		var status unix.WaitStatus
		stopped, err := unix.Wait4(tid, &status, unix.WALL|unix.WNOHANG, nil)
		switch {
		case err != nil && !errors.Is(err, unix.EINTR):
			return 0, fmt.Errorf("ptrace: %w", err)
		case stopped == tid && !status.Stopped():
			return 0, unix.ESRCH
		case stopped == tid && status>>16 == unix.PTRACE_EVENT_STOP:
			return 0, nil
		case stopped == tid:
			return status.StopSignal(), nil
		case time.Now().After(until):
			return 0, errSlowStop
		case time.Since(begin) > eager:
			time.Sleep(pause)
		}
	}
}

// release lets a thread run on, with the signal that it was about to get.
func release(tid int, signal unix.Signal) {
	_, _, _ = unix.RawSyscall6(unix.SYS_PTRACE, unix.PTRACE_DETACH, uintptr(tid), 0, uintptr(signal), 0, 0)
}

// readRegisters reads those of a thread that is stopped, in the order of NT_PRSTATUS.
func readRegisters(tid int, words *[registerWords]uint64) error {
	const prstatus = 1
	vector := unix.Iovec{Base: (*byte)(unsafe.Pointer(words)), Len: uint64(unsafe.Sizeof(*words))}
	_, _, errno := unix.RawSyscall6(unix.SYS_PTRACE, unix.PTRACE_GETREGSET, uintptr(tid), prstatus,
		uintptr(unsafe.Pointer(&vector)), 0, 0)
	if errno != 0 {
		return fmt.Errorf("ptrace: %w", errno)
	}
	return nil
}
