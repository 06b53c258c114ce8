package hotspot

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/jstall/jstall/internal/hotspot/dump"
	"github.com/jstall/jstall/internal/hotspot/facts"
	"github.com/jstall/jstall/internal/hotspot/stack"
	"github.com/jstall/jstall/internal/hotspot/thread"
	"github.com/jstall/jstall/internal/hotspot/virtual"
	"github.com/jstall/jstall/internal/hotspot/vm"
	"github.com/jstall/jstall/internal/hotspot/vthread"
)

// read reads all threads once.
func (j *JVM) read(ctx context.Context, now time.Time, tasks thread.Tasks) (*dump.Dump, error) {
	r, err := j.reader(ctx)
	if err != nil {
		return nil, err
	}
	d := &dump.Dump{Time: now, Major: r.Major}
	describe(d, &r.ClassTable.Reader)
	addresses, moved := r.ThreadList()
	d.ListMoved, d.List = moved, r.U64(r.Threads.List)
	kernel := askKernel(tasks)
	for _, at := range addresses {
		d.Threads = append(d.Threads, r.ReadThread(at))
	}
	r.Recheck(d.Threads)
	if err := keepAlive(d, kernel); err != nil {
		return nil, err
	}
	d.Sampling = r.ReadRunning(d.Threads, j.registersFor(r.Major), j.carriersAlone)
	d.Virtual = virtual.Read(virtual.NewJVM(r, j.JVM, j.boot), d.Threads, j.registersFor(r.Major), d.Sampling)
	r.FindOwners(d.Threads, d.Virtual.LockedLightly(), d.Virtual.MonitorWaits())
	d.Facts = facts.Read(&r.Reader.Reader, d.Threads, d.Virtual, j.Clock)
	d.Locate()
	d.Collecting = r.Epoch().Active
	if err := errors.Join(r.Err, r.Objects.Err); err != nil {
		return nil, fmt.Errorf("the dump is not complete: %w", err)
	}
	return d, nil
}

// Supplement reads what a thread dump lacks that the JVM has given: what threads wait for and work for, and its virtual
// threads. Of threads that run only carriers are sampled, on releases whose own dump does not have the frames of the
// virtual thread that is mounted. Without facts, and without virtual threads in the JVM, no thread is read.
func (j *JVM) Supplement(ctx context.Context, facts bool) (*dump.Dump, error) {
	quiet := *j
	quiet.carriersAlone = true
	if !facts {
		d, used, err := quiet.withoutVirtual(ctx)
		if !used || err != nil {
			return d, err
		}
	}
	read := func() (*dump.Dump, error) { return quiet.read(ctx, time.Time{}, nil) }
	return dump.Steady(nil, j.IsStopped == nil, read)
}

// firstMounted is the first release whose dump has the frames of mounted threads.
const firstMounted = 25

// registersFor are the registers that a reading may sample, nil for none.
func (j *JVM) registersFor(major int) stack.Registers {
	if j.carriersAlone && (major < virtual.FirstRelease || major >= firstMounted) {
		return nil
	}
	return j.registers
}

// withoutVirtual is a reading of a JVM that has never had a virtual thread; used reports that this one has.
func (j *JVM) withoutVirtual(ctx context.Context) (d *dump.Dump, used bool, err error) {
	r, err := j.reader(ctx)
	if err != nil {
		return nil, false, err
	}
	d = &dump.Dump{Major: r.Major, List: r.U64(r.Threads.List)}
	if r.Major < virtual.FirstRelease {
		return d, false, nil
	}
	d.Virtual = &virtual.Set{}
	return d, j.LoadedErr != nil || vthread.Used(virtual.NewJVM(r, j.JVM, j.boot)), nil
}

// kernelAnswer is what a Tasks has returned.
type kernelAnswer struct {
	tasks map[int]thread.Task
	err   error
}

// askKernel asks while threads are read, as it takes as long. Without Tasks it returns nil.
func askKernel(tasks thread.Tasks) chan kernelAnswer {
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
func keepAlive(d *dump.Dump, kernel chan kernelAnswer) error {
	if kernel == nil {
		return nil
	}
	answer := <-kernel
	d.Threads = slices.DeleteFunc(d.Threads, func(t *thread.Thread) bool {
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
func describe(d *dump.Dump, r *vm.Reader) {
	const maxText = 4096
	d.Release, _ = r.CString(r.U64(r.VM.Release), maxText)
	description, _ := r.CString(r.U64(r.VM.Description), maxText)
	// "OpenJDK 64-Bit Server VM (21.0.13+9) for linux-amd64 JRE (21.0.13+9), built on …"
	d.VM, _, _ = strings.Cut(description, " (")
	switch {
	case !r.Flags["UseInterpreter"]:
		d.Mode = "compiled mode"
	case !r.Flags["UseCompiler"]:
		d.Mode = "interpreted mode"
	default:
		d.Mode = "mixed mode"
	}
	if r.Flags["UseSharedSpaces"] {
		d.Mode += ", sharing"
	}
}

// Dump reads all threads. tasks may be nil, as for a core file. Threads that moved while they were
// read are marked; an error means that there is no dump.
//
// Threads are read one after the other. Two that never waited for each other at one moment can look as if they
// did, so a cycle is reported only if none of its platform threads ran between the first and the last of these
// readings, and if two readings show the same of its virtual threads.
func (j *JVM) Dump(ctx context.Context, now time.Time, tasks thread.Tasks) (*dump.Dump, error) {
	return dump.Steady(tasks,
		tasks == nil && j.IsStopped == nil, func() (*dump.Dump, error) { return j.read(ctx, now, tasks) })
}
