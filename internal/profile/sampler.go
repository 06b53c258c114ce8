package profile

import (
	"context"
	"slices"
	"time"

	"github.com/jstall/jstall/analysis/timeline"
	"github.com/jstall/jstall/internal/jvm"
	"github.com/jstall/jstall/internal/kernel"
	"github.com/jstall/jstall/internal/recording"
	"github.com/jstall/jstall/internal/source/live"
	"github.com/jstall/jstall/internal/source/observe"
	"github.com/jstall/jstall/internal/source/target"
	"github.com/jstall/jstall/threaddump"
)

// Sampler takes plain dumps of a running JVM for a profile, never with lock owners.
type Sampler struct {
	Live *live.Source
	// Duration is the time from the first sample to the last; zero means until the target ends.
	Duration time.Duration
	// Interval is the fixed time between the starts of two samples. If it is not positive, it is as short as Budget
	// allows.
	Interval time.Duration
	Budget   Budget
	// PreferMemory reads the JVM's memory if possible, which pauses nothing.
	PreferMemory bool
	// Started, if set, is when jstall started the target: the target need not answer yet, and all CPU time that it has
	// used by its first sample is part of the profile.
	Started time.Time
	// Keep, if set, receives the entries of each sample before they are parsed.
	Keep func([]recording.Entry)
	// Progress, if set, is called after each sample.
	Progress func(elapsed time.Duration, samples int)
}

// Sampled is the result of a Sampler.
type Sampled struct {
	Samples int
	// Elapsed is the time from the first sample to the last.
	Elapsed time.Duration
	// Pause is the sum of the target's pauses over our requests, Longest the longest one. They come from its counters,
	// without its GC pauses where those can be separated. Without counters they are the duration of the requests.
	Pause, Longest time.Duration
	FromCounters   bool
	// FromMemory reports that the dumps were read from the JVM's memory.
	FromMemory bool
	// Lost is Pause plus the CPU time that jstall took from the target. Share is the part of Elapsed that Lost was not
	// to exceed: the Sampler's budget, 0 if its interval is fixed.
	Lost  time.Duration
	Share float64
	// FilesLeft names files of jstall that remain on the target's disk.
	FilesLeft []string
	// Gone reports that the target ended before the time was over, Interrupted that the user ended the profile early.
	// Neither is a failure.
	Gone, Interrupted bool
	// Failure is why there are no further samples, nil if the time was over.
	Failure  error
	Warnings []string
}

// AboveShare reports whether the target lost more than its share: the minimum number of samples cost more, the profile
// ended early, or single samples cost more than those before.
func (s Sampled) AboveShare() bool {
	return s.Share > 0 && s.Elapsed > 0 && s.Lost.Seconds() > s.Share*s.Elapsed.Seconds()
}

// maxFailures is how many samples in a row may fail before the profile ends early.
const maxFailures = 3

// Run takes samples until the time is over, or the context or the target ends.
func (s *Sampler) Run(ctx context.Context, add func(*timeline.Delta)) Sampled {
	return s.newRun(add).run(ctx)
}

func (s *Sampler) newRun(add func(*timeline.Delta)) *samplerRun {
	r := &samplerRun{
		Sampler: s, add: add, matcher: timeline.NewMatcher(),
		pace: &pace{fixed: s.Interval, duration: s.Duration, budget: s.Budget},
	}
	r.observer = observe.NewObserver(r.observe)
	return r
}

func (r *samplerRun) run(ctx context.Context) Sampled {
	r.Live.Target().Start = time.Now()
	r.done.FromMemory = r.PreferMemory && r.Live.Memory().MayRead(ctx)
	r.spare = newSpare(r.Live.Kernel, r.Live.Process.PID)
	r.begin()
	for failures := 0; ; {
		if err := r.sample(ctx); err == nil {
			failures = 0
			r.done.Interrupted = ctx.Err() != nil
		} else {
			failures = r.failed(ctx, err, failures)
		}
		if r.over() || !r.wait(ctx) {
			break
		}
	}
	r.done.FilesLeft = r.Live.Cost().FilesLeft
	r.done.Lost = r.pace.lost.total
	if r.Interval == 0 {
		r.done.Share = r.Budget.Share
	}
	return r.done
}

// failed notes why a sample failed, after that many failures in a row, and returns their new number.
func (r *samplerRun) failed(ctx context.Context, err error, failures int) int {
	switch {
	case ctx.Err() != nil:
		r.done.Interrupted = true
		return failures
	case r.Live.Target().Gone():
		r.done.Gone = true
		return failures
	case r.done.Samples == 0 && !r.Started.IsZero():
		r.last = time.Since(r.Live.Target().Start) // it is still starting
	default:
		failures++
		if failures == maxFailures || r.done.Samples == 0 {
			r.done.Failure = err
		}
	}
	if r.timeIsOver() && r.done.Failure == nil {
		r.done.Failure = err // it did not answer at the end
	}
	return failures
}

// samplerRun is one run of a Sampler.
type samplerRun struct {
	*Sampler
	add      func(*timeline.Delta)
	matcher  *timeline.Matcher
	observer *observe.Observer
	pace     *pace
	spare    spare
	// tasks are the kernel's figures for the current dump. process is the CPU time of the whole process: if the dump
	// has the CPU times of the threads, it is the mean of those before and after the dump.
	tasks   map[int64]timeline.Task
	process timeline.Opt[time.Duration]
	// first and last are the times of the dumps.
	first, last time.Duration
	done        Sampled
}

// begin adds an empty first sample for a target that jstall started: no threads, and no CPU time used.
func (r *samplerRun) begin() {
	if !r.Started.IsZero() {
		r.matcher.Add(timeline.Observation{
			Dump: &threaddump.Dump{}, ProcessCPU: threaddump.Known(time.Duration(0)),
			At: threaddump.Known(r.Started.Sub(r.Live.Target().Start)),
		})
	}
}

// sample takes one dump with the CPU time of the process at the same time.
func (r *samplerRun) sample(ctx context.Context) error {
	l := r.Live
	own := r.pace.ownCPU()
	before, used := l.Target().Counters(), processCPU(l.Target().Stat())
	dump := r.dump(ctx)
	if dump.Err != nil {
		return dump.Err
	}
	r.tasks = r.taskTimes()
	stat := l.Target().Stat()
	r.process = processCPU(stat)
	if r.tasks == nil && used.Known && r.process.Known {
		r.process.Value = (used.Value + r.process.Value) / 2
	}
	r.keep(dump, stat)
	if err := r.observer.Observe([]recording.Entry{dump, stat}); err != nil {
		return err
	}
	r.keepWarnings()
	r.account(dump.Took, before, l.Target().Counters(), own)
	if r.Progress != nil {
		r.Progress(time.Since(l.Target().Start), r.done.Samples)
	}
	return nil
}

func (r *samplerRun) dump(ctx context.Context) recording.Entry {
	return r.Live.Sample(ctx, r.done.FromMemory)
}

func processCPU(e recording.Entry) timeline.Opt[time.Duration] {
	stat, err := kernel.ParseStat(e.Bytes)
	if e.Err != nil || err != nil {
		return timeline.Opt[time.Duration]{}
	}
	return threaddump.Known(stat.CPU())
}

// account notes what a sample has cost.
func (r *samplerRun) account(took time.Duration, before, after recording.Entry, own time.Duration) {
	pause, ok := r.pauseBetween(before.Bytes, after.Bytes)
	if !ok {
		pause = took
	}
	if r.done.FromMemory { // the pauses in the counters were not for us
		pause = 0
	}
	r.done.FromCounters = ok
	r.done.Pause += pause
	r.done.Longest = max(r.done.Longest, pause)
	taken := 1 - r.spare.share(time.Now())
	r.pace.learn(pause, time.Duration(taken*float64(r.pace.ownCPU()-own)))
}

// firstWithoutSync is the first JDK whose counter of the time in safepoints does not include the time to safepoint.
const firstWithoutSync = 13

// pauseBetween is the time that the JVM spent in safepoints, with the time to safepoint, between two readings of its
// counters. The GC pauses are subtracted for collectors that are stop-the-world for the whole GC.
func (r *samplerRun) pauseBetween(before, after []byte) (time.Duration, bool) {
	was, errBefore := jvm.ParsePerfData(before)
	is, errAfter := jvm.ParsePerfData(after)
	if errBefore != nil || errAfter != nil {
		return 0, false
	}
	first, last := was.SafepointTime(), is.SafepointTime()
	if !first.Known || !last.Known {
		return 0, false
	}
	pause := last.Value - first.Value
	if r.Live.Process.Major >= firstWithoutSync {
		pause += is.SafepointSyncTime().Value - was.SafepointSyncTime().Value
	}
	switch is.GC() {
	case "Serial", "Parallel", "G1":
		pause -= is.GCTime().Value - was.GCTime().Value
	}
	return max(0, pause), true
}

// taskTimes reads the CPU times of the threads from the kernel if the dump does not have them.
func (r *samplerRun) taskTimes() map[int64]timeline.Task {
	if r.Live.Process.Major >= target.FirstWithCPU {
		return nil
	}
	tasks, err := r.Live.Kernel.Tasks(r.Live.Process.PID, kernel.TaskOptions{CPU: true})
	if err != nil {
		return nil
	}
	all := make(map[int64]timeline.Task, len(tasks))
	for _, t := range tasks {
		all[int64(t.NSTID)] = timeline.Task{CPU: t.CPU}
	}
	return all
}

func (r *samplerRun) observe(o timeline.Observation) {
	o.Tasks, o.ProcessCPU = r.tasks, r.process
	sample := r.matcher.Add(o)
	if sample == nil {
		return
	}
	if r.done.Samples == 0 {
		r.first = o.At.Value
	}
	r.last = o.At.Value
	r.done.Samples++
	r.done.Elapsed = r.last - r.first
	r.add(sample)
}

// maxWarnings bounds the warnings of all samples together.
const maxWarnings = 10

// keepWarnings keeps the warnings that no earlier sample gave.
func (r *samplerRun) keepWarnings() {
	for _, w := range r.observer.TakeWarnings() {
		if len(r.done.Warnings) < maxWarnings && !slices.Contains(r.done.Warnings, w) {
			r.done.Warnings = append(r.done.Warnings, w)
		}
	}
}

func (r *samplerRun) over() bool {
	d := &r.done
	return d.Gone || d.Interrupted || d.Failure != nil || r.timeIsOver()
}

func (r *samplerRun) timeIsOver() bool {
	return r.Duration > 0 && time.Since(r.Live.Target().Start) >= r.Duration
}

// wait sleeps until the next sample. The last one is at the very end, as nothing after it is seen.
func (r *samplerRun) wait(ctx context.Context) bool {
	passed := time.Since(r.Live.Target().Start)
	due := max(r.pace.next(r.first, r.last), passed)
	timer := time.NewTimer(due - passed)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-ctx.Done():
		r.done.Interrupted = true
		return false
	}
}
