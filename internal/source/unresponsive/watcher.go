package unresponsive

import (
	"context"
	"sync"
	"time"

	"github.com/jstall/jstall/attach"
	"github.com/jstall/jstall/internal/caught"
	"github.com/jstall/jstall/internal/recording"
	"github.com/jstall/jstall/internal/source/form"
	"github.com/jstall/jstall/internal/source/target"
)

const (
	// firstSample is how long to wait for an answer before the kernel's facts are read, and perThread how much longer
	// for each thread: that covers the time of the JVM to write about a thread and ours to read about it.
	firstSample = 150 * time.Millisecond
	perThread   = 50 * time.Microsecond
	// samplesPerWait is how many samples are taken in a whole wait.
	samplesPerWait = 6
	// shortestSpan is the shortest time between the first sample and the last: CPU use over a shorter time is noise.
	shortestSpan = 120 * time.Millisecond
	// firstWord is the time without an answer after which the user gets a message.
	firstWord = time.Second
)

// Patience says how long an answer is waited for.
type Patience struct {
	// Timeout is the longest wait, 0 and less for the default.
	Timeout time.Duration
	// Waiting, if set, is called when the wait is so long that the user needs a message.
	Waiting func()
	// NoAnswerNear reports, after some time, that no answer is near.
	NoAnswerNear func(context.Context) bool
}

// Watcher reads /proc and the counters while jstall waits for the JVM.
type Watcher struct {
	Patience
	target   *target.JVM
	cancel   context.CancelCauseFunc
	crashLog *target.CrashLog
	ctx      context.Context // of the samples; it ends with the watcher
	stop     chan struct{}
	done     chan struct{}
	// broken is the panic that ended the watcher early. It is valid once done is closed.
	broken *caught.Panic

	mu      sync.Mutex
	samples [][]recording.Entry
}

// Watch begins a watcher. It ends the returned context if the target cannot answer.
func Watch(ctx context.Context, t *target.JVM, p Patience) (context.Context, *Watcher) {
	ctx, cancel := context.WithCancelCause(ctx)
	v := &Watcher{
		Patience: p, target: t, cancel: cancel, ctx: ctx, crashLog: t.OpenCrashLog(),
		stop: make(chan struct{}), done: make(chan struct{}),
	}
	go v.run()
	go v.giveUp()
	return ctx, v
}

func (v *Watcher) run() {
	defer close(v.done)
	v.broken = caught.Try(v.sampling)
}

// giveUp ends the wait if no answer is near.
func (v *Watcher) giveUp() {
	_ = caught.Try(func() {
		if v.NoAnswerNear(v.ctx) {
			v.cancel(target.ErrCannotAnswer)
		}
	})
}

// sampling takes samples until it is stopped, or it is certain that the target cannot answer.
func (v *Watcher) sampling() {
	wait := v.Timeout
	if wait <= 0 {
		wait = attach.DefaultTimeout
	}
	begin, told, plain := time.Now(), v.Waiting == nil, 0
	next := min(firstSample+time.Duration(v.target.Process.Threads)*perThread, wait/samplesPerWait)
	for {
		if !v.sleep(next) {
			return
		}
		next = max(wait/samplesPerWait, 50*time.Millisecond)
		if plain = v.take(plain); plain > 1 {
			v.cancel(target.ErrCannotAnswer)
			return
		}
		if !told && time.Since(begin) >= firstWord {
			told = true
			v.Waiting()
		}
	}
}

func (v *Watcher) sleep(d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-v.stop:
		return false
	}
}

// take adds a sample. It counts those in a row in which the target could not run.
func (v *Watcher) take(plain int) int {
	v.mu.Lock()
	full := len(v.samples) == 0
	v.mu.Unlock()
	sample := v.target.Sample(v.ctx, full)
	v.add(sample)
	if p := form.ProcessOf(sample); p.Frozen || cannotRun(p.State) {
		return plain + 1
	}
	return 0
}

func cannotRun(state string) bool { return state == "T" || state == "t" || state == "Z" }

// lastReading bounds the wait for an unfinished sample: a system call about a hanging process may hang too.
const lastReading = 300 * time.Millisecond

// End ends the watcher. For a failed attempt it returns all samples, and takes a last one now.
func (v *Watcher) End(err error) []recording.Entry {
	defer v.crashLog.Close()
	defer v.cancel(nil)
	close(v.stop)
	if !target.Explicable(err) {
		return nil
	}
	target.InTime(lastReading, func(ctx context.Context) {
		select {
		case <-v.done:
			v.broken.Repanic()
		case <-ctx.Done():
		}
	})
	target.InTime(2*lastReading, func(ctx context.Context) { v.finish(ctx, !target.ShortOfMemory(err)) })
	v.mu.Lock()
	defer v.mu.Unlock()
	var all []recording.Entry
	for _, s := range v.samples {
		all = append(all, s...)
	}
	return all
}

// finish adds the samples that are needed to compare two times. It adds only one if there is no time for two.
func (v *Watcher) finish(ctx context.Context, two bool) {
	v.mu.Lock()
	n := len(v.samples)
	first := time.Since(v.target.Start)
	if n > 0 {
		first = v.samples[0][0].At
	}
	v.mu.Unlock()
	last := v.target.Sample(ctx, true)
	if span := time.Since(v.target.Start) - first; n == 0 && two && !cannotMove(last) {
		v.add(last)
		time.Sleep(shortestSpan - span)
		last = v.target.Sample(ctx, true)
	}
	if ctx.Err() != nil {
		return // the sample is not complete
	}
	v.add(append(last, v.crashLog.Entry(last[0].At)...))
}

func (v *Watcher) add(sample []recording.Entry) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.samples = append(v.samples, sample)
}

// cannotMove reports whether no thread of the target can run, or the target is gone: a second reading after a pause
// would show the same.
func cannotMove(sample []recording.Entry) bool {
	p := form.ProcessOf(sample)
	return p.Gone || p.Frozen || cannotRun(p.State)
}
