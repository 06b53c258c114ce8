package jvm

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"runtime"
	"time"

	"github.com/jstall/jstall/internal/caught"
	"github.com/jstall/jstall/internal/kernel"
	"github.com/jstall/jstall/internal/order"
)

// FindOptions says how much to read.
type FindOptions struct {
	// Bare leaves out the facts that only hsperfdata has: heap, collector, uptime.
	Bare bool
}

// Found is the result of Find.
type Found struct {
	// Processes are the JVMs by pid, including those that are not HotSpot.
	Processes []Process
	// Hidden counts processes that are probably JVMs but may not be inspected.
	Hidden int
	// Missing names the right that is needed to inspect them, "CAP_SYS_PTRACE", with the alternative if it is the same
	// for all; empty if none is hidden.
	Missing string
	// TimedOut are processes for which the kernel gave no answer in time.
	TimedOut []int
}

// Find searches all processes in /proc for JVMs. If a system call hangs it ends with ctx, and returns the JVMs found so
// far with the error.
func Find(ctx context.Context, r *kernel.Reader, opts FindOptions) (Found, error) {
	in, err := newInspector(r)
	if err != nil {
		return Found{}, err
	}
	in.bare = opts.Bare
	pids, err := r.PIDs()
	if err != nil {
		return Found{}, err
	}
	found, err := in.search(ctx, pids)
	order.Sort(found.Processes, func(a, b Process) int { return cmp.Compare(a.PID, b.PID) })
	return found, err
}

// search inspects all processes with a few workers, so that a process on which a system call hangs delays neither the
// others nor the result.
func (in *inspector) search(ctx context.Context, pids []int) (found Found, err error) {
	work, seen := make(chan int, len(pids)), make(chan sighting, len(pids))
	for _, pid := range pids {
		work <- pid
	}
	close(work)
	for range max(2, runtime.GOMAXPROCS(0)) {
		go func() {
			for pid := range work {
				if ctx.Err() != nil {
					return
				}
				seen <- in.sightInTime(pid)
			}
		}()
	}
	for range pids {
		select {
		case s := <-seen:
			s.broken.Repanic()
			found.add(s)
		case <-ctx.Done():
			return found, fmt.Errorf("find JVMs: %w", context.Cause(ctx))
		}
	}
	return found, nil
}

// sightPatience is how long the search waits for one process: longer than the limit for its files.
const sightPatience = 800 * time.Millisecond

// sightInTime gives up a process on which a system call hangs.
func (in *inspector) sightInTime(pid int) sighting {
	done := make(chan sighting, 1)
	go func() {
		var s sighting
		broken := caught.Try(func() { s = in.sight(pid) })
		s.broken = broken
		done <- s
	}()
	timer := time.NewTimer(sightPatience)
	defer timer.Stop()
	select {
	case s := <-done:
		return s
	case <-timer.C:
		return sighting{timedOut: pid}
	}
}

// sighting is the result for one process: a JVM, a hidden JVM, or neither.
type sighting struct {
	jvm      *Process
	missing  string
	timedOut int
	broken   *caught.Panic
}

func (f *Found) add(s sighting) {
	switch {
	case s.jvm != nil:
		f.Processes = append(f.Processes, *s.jvm)
	case s.timedOut != 0:
		f.TimedOut = append(f.TimedOut, s.timedOut)
	case s.missing != "":
		if f.Hidden++; f.Hidden == 1 {
			f.Missing = s.missing
		} else if f.Missing != s.missing {
			f.Missing = rightToTrace // what they have in common
		}
	}
}

// fewestThreads is less than the threads of any HotSpot JVM after its start: main thread, VM Thread, Reference Handler,
// Finalizer, Service Thread and more.
const fewestThreads = 4

// sight excludes most processes by the number of their threads, and inspects the others.
func (in *inspector) sight(pid int) sighting {
	if n, err := in.r.ThreadCount(pid); err != nil || n < fewestThreads {
		return sighting{}
	}
	p, err := in.inspect(pid)
	var refused *PermissionError
	switch {
	case err == nil:
		in.addCPU(&p)
		return sighting{jvm: &p}
	case errors.As(err, &refused) && in.seemsJVM(pid, refused.Comm):
		return sighting{missing: refused.Missing}
	}
	return sighting{}
}

func (in *inspector) addCPU(p *Process) {
	text, err := in.r.ReadFile(p.PID, "stat")
	if err != nil {
		return
	}
	if stat, err := kernel.ParseStat(text); err == nil {
		p.CPU = stat.CPU()
	}
}

// seemsJVM judges a process that may not be inspected by what everyone may see: HotSpot starts its VM Thread early,
// with the same name in all releases.
func (in *inspector) seemsJVM(pid int, comm string) bool {
	const early = 128 // behind the GC threads of a large machine
	if comm == "java" {
		return true
	}
	files := in.r.Opener(pid)
	defer files.Close()
	if argv, _ := files.CommandLine(); len(argv) > 0 && baseName(argv[0]) == "java" {
		return true
	}
	tids, err := in.r.TIDs(pid)
	if err != nil {
		return false
	}
	tasks, _ := in.r.Tasks(pid, kernel.TaskOptions{Comm: true, Only: tids[:min(early, len(tids))]})
	for _, t := range tasks {
		if t.Comm == "VM Thread" {
			return true
		}
	}
	return false
}
