package profile

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"time"

	"github.com/jstall/jstall/attach"
	"github.com/jstall/jstall/internal/hotspot"
	"github.com/jstall/jstall/internal/source/live"
	"github.com/jstall/jstall/internal/source/memory"
	"github.com/jstall/jstall/internal/source/target"
)

// PerfProfiler samples a running JVM by perf events: each thread whenever it has run for Period. It sends the JVM
// nothing and stops no thread.
type PerfProfiler struct {
	Live             *live.Source
	Duration, Period time.Duration
	// End is called for each thread that started and ended during the profile, after its samples.
	End func(tid int, used hotspot.Used)
	// Progress, if set, is called after each batch of samples.
	Progress func(elapsed time.Duration, samples int)
}

// PerfProfiled is the result of a PerfProfiler.
type PerfProfiled struct {
	Samples int
	// Lost counts samples for which the kernel had no room.
	Lost    uint64
	Begin   time.Time
	Elapsed time.Duration
	// Threads are the threads that lived to the end, by their ids in our pid namespace, with the CPU time that they
	// used.
	Threads map[int]hotspot.Used
	// Rest is CPU time of the process beyond that of its threads and samples.
	Rest time.Duration
	// OwnCPU is the CPU time that jstall used.
	OwnCPU time.Duration
	// Kernel reports that the kernel's own code was sampled, Full that some threads were not sampled as there are too
	// many.
	Kernel, Full bool
	// Gone reports that the target ended before the time was over, Interrupted that the user ended the profile early.
	Gone, Interrupted bool
}

// PerfError says why perf events cannot sample the threads of a JVM, and what would allow it.
type PerfError struct {
	Cause, Remedy string
	Err           error
}

func (e *PerfError) Error() string { return e.Cause }

func (e *PerfError) Unwrap() error { return e.Err }

// refusedPerf says which right is missing.
func refusedPerf(err error) error {
	unread := (*memory.Error)(nil)
	switch {
	case err == nil:
		return nil
	case errors.As(err, &unread) || errors.Is(err, context.Canceled):
		return err
	case !errors.Is(err, fs.ErrPermission):
		return &PerfError{Cause: "perf events cannot be used: " + err.Error(), Err: err}
	}
	return &PerfError{
		Cause: "perf events are not allowed (kernel.perf_event_paranoid above 2, or a seccomp filter)",
		Remedy: "grant CAP_PERFMON (docker run --cap-add PERFMON, securityContext.capabilities.add: [PERFMON]; " +
			"docker's default seccomp profile needs it too), or as root: sysctl kernel.perf_event_paranoid=2",
		Err: err,
	}
}

// PerfRight checks whether a profile may be taken by perf events, and if not what allows it. It samples nothing.
func PerfRight(pid int) attach.Check {
	check := attach.Check{Name: "perf events", Result: attach.OK,
		Detail: "flame can sample where the CPU time is spent, with native and kernel frames"}
	kernel, err := hotspot.MaySample(pid)
	refused := (*PerfError)(nil)
	switch {
	case err == nil && !kernel:
		check.Detail = "flame can sample where the CPU time is spent, without the kernel's frames " +
			"(kernel.perf_event_paranoid is 2)"
	case errors.As(refusedPerf(err), &refused):
		check.Result, check.Detail, check.Remedy, check.Err = attach.NotOK, refused.Cause, refused.Remedy, err
	}
	return check
}

// batchEvery is how often the samples are read.
const batchEvery = 100 * time.Millisecond

// Run samples until the time is over, the context ends or the target ends. An error of type *[PerfError] or
// *[MemoryError] means that nothing could be sampled.
func (p *PerfProfiler) Run(ctx context.Context, add func(*hotspot.RunSample)) (done PerfProfiled, err error) {
	opened, err := p.Live.Memory().Open(ctx)
	if unread := (*memory.Error)(nil); err != nil && !errors.As(err, &unread) && !errors.Is(err, fs.ErrNotExist) {
		return done, &PerfError{Cause: "stacks cannot be read from the JVM's memory: " + err.Error(), Err: err}
	}
	if err != nil {
		return done, err
	}
	sampling, err := memory.FromMemory(ctx, p.Live.Memory(), p.Live.Memory().Limit(),
		func(ctx context.Context) (*hotspot.Profile, error) {
			return opened.Profile(ctx, p.Period)
		})
	if err != nil {
		return done, refusedPerf(err)
	}
	defer sampling.Close()
	r := &perfRun{PerfProfiler: p, memory: opened, sampling: sampling, add: add, done: &done}
	if r.before, err = opened.CPUTimes(); err != nil {
		return done, err
	}
	if err := r.sampleThreads(); err != nil {
		return done, refusedPerf(err)
	}
	err = r.run(ctx)
	r.finish()
	return done, err
}

// perfRun is one run of a PerfProfiler.
type perfRun struct {
	*PerfProfiler
	memory   *hotspot.Process
	sampling *hotspot.Profile
	add      func(*hotspot.RunSample)
	// before are the CPU times at the beginning, latest the last ones that could be read.
	before, latest *hotspot.CPUTimes
	readAt         time.Time
	// ended are the threads that ended during the last batch, endedCPU is the sum of those that ended before.
	ended    map[int]hotspot.Used
	endedCPU time.Duration
	done     *PerfProfiled
	// sampled counts the samples of each thread.
	sampled map[int]int
}

// sampleThreads adds the existing threads, those with the most CPU time first.
func (r *perfRun) sampleThreads() error {
	for _, tid := range r.before.ByUse() {
		if err := r.sampling.Add(tid); err != nil {
			return err
		}
	}
	return r.addNew()
}

// addNew adds threads that were started meanwhile by a thread that was not sampled yet. Threads that a sampled thread
// starts are sampled from their beginning.
func (r *perfRun) addNew() error {
	tids, err := r.Live.Kernel.TIDs(r.Live.Process.PID)
	if err != nil {
		return nil // it has ended
	}
	for _, tid := range tids {
		if _, seen := r.sampled[tid]; seen || r.sampling.Has(tid) {
			continue
		}
		if err := r.sampling.Add(tid); err != nil {
			return err
		}
	}
	return nil
}

func (r *perfRun) run(ctx context.Context) error {
	r.done.Begin, r.sampled = time.Now(), map[int]int{}
	for still := (target.Stillness{Target: r.Live.Target()}); ; {
		left := r.Duration - time.Since(r.done.Begin)
		if r.Duration <= 0 {
			left = batchEvery
		}
		_ = r.sampling.Wait(ctx, min(left, batchEvery))
		r.done.Elapsed = time.Since(r.done.Begin)
		over := r.Duration > 0 && r.done.Elapsed >= r.Duration
		r.done.Interrupted = ctx.Err() != nil && !over
		before := r.done.Samples
		if err := r.batch(context.WithoutCancel(ctx)); err != nil {
			return err
		}
		switch {
		case over || r.done.Interrupted:
			return nil
		case r.done.Samples > before: // the target still runs
			still.Times = 0
		case r.Live.Target().Gone():
			r.done.Gone = true
			return nil
		case still.Lasts():
			return &StoodError{PID: r.Live.Process.PID}
		}
	}
}

// batch passes on the samples since the last batch.
func (r *perfRun) batch(ctx context.Context) error {
	batch, err := memory.FromMemory(ctx, r.Live.Memory(), r.Live.Memory().Limit(), r.sampling.Stacks)
	r.done.Lost += batch.Lost
	if err != nil {
		if r.Live.Target().Gone() {
			return nil
		}
		return fmt.Errorf("read the stacks of samples: %w", err)
	}
	for i := range batch.Samples {
		r.done.Samples++
		r.sampled[batch.Samples[i].TID]++
		r.add(&batch.Samples[i])
	}
	r.endThreads(batch.Ended)
	r.keepTimes()
	if r.Progress != nil {
		r.Progress(r.done.Elapsed, r.done.Samples)
	}
	return nil
}

// endThreads calls End for threads that ended during the batch before, as their last samples arrive with this one.
func (r *perfRun) endThreads(now map[int]hotspot.Used) {
	for tid, used := range r.ended {
		used.CPU += now[tid].CPU
		delete(now, tid)
		r.endedCPU += used.CPU
		delete(r.sampled, tid)
		r.End(tid, used)
	}
	r.ended = now
}

// keepTimes reads the CPU times from time to time, as they cannot be read once the process has ended.
func (r *perfRun) keepTimes() {
	const share = 200 // of the time that a reading takes, until the next one
	begin := time.Now()
	if begin.Before(r.readAt) {
		return
	}
	if now, err := r.memory.CPUTimes(); err == nil {
		r.latest = now
	}
	r.readAt = begin.Add(max(time.Second, share*time.Since(begin)))
}

// finish reads the CPU times at the end.
func (r *perfRun) finish() {
	r.done.Kernel, r.done.Full = r.sampling.Kernel(), r.sampling.Full()
	r.endThreads(nil)
	r.readAt = time.Time{}
	r.keepTimes()
	if r.latest == nil {
		return
	}
	var used time.Duration
	r.done.Threads, used = r.latest.Since(r.before)
	used += r.endedCPU
	for tid, n := range r.sampled {
		if _, alive := r.done.Threads[tid]; !alive {
			used += time.Duration(n) * r.Period
		}
	}
	if whole := r.latest.Process - r.before.Process; whole > used+leastRest {
		r.done.Rest = whole - used
	}
}

// leastRest is less than the possible error of the kernel's figure for a process.
const leastRest = 50 * time.Millisecond
