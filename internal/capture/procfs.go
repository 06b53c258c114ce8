package capture

import (
	"context"
	"errors"
	"strconv"
	"sync"
	"syscall"
	"time"

	"github.com/jstall/jstall/attach"
	"github.com/jstall/jstall/internal/caught"
	"github.com/jstall/jstall/internal/kernel"
	"github.com/jstall/jstall/internal/recording"
	"github.com/jstall/jstall/internal/source/form"
)

const (
	// firstSample is how long a silent JVM is waited for before the kernel is asked
	// about it, and perThread how much longer for each of its threads: so long do
	// the JVM to write of it and us to ask about it take.
	firstSample = 150 * time.Millisecond
	perThread   = 50 * time.Microsecond
	// samplesPerWait is how often it is asked over a whole wait.
	samplesPerWait = 6
	// shortestSpan is the least time between the first sample and the last: what
	// CPU is used over less is noise.
	shortestSpan = 120 * time.Millisecond
	// firstWord is after how long a silence is told to who waits.
	firstWord = time.Second
)

// errPlain ends a wait whose reason is plain.
var errPlain = errors.New("it cannot answer")

// explicable tells the failed attempts that /proc and the counters can explain.
// Others mean that we are not allowed, or that the question was wrong.
func explicable(err error) bool {
	e := (*attach.Error)(nil)
	if !errors.As(err, &e) || errors.Is(err, syscall.EMFILE) { // the latter is our own limit
		return false
	}
	switch e.Code {
	case attach.CodeNotJVM, attach.CodePermission, attach.CodeRequest, attach.CodeTooLarge,
		attach.CodeCommandFailed, attach.CodeUnsupported, attach.CodeInterrupted, attach.CodeCrash,
		attach.CodeHeapFull:
		return false
	}
	return true
}

// watcher reads /proc and the counters while the JVM is waited for.
type watcher struct {
	l        *Live
	cancel   context.CancelCauseFunc
	crashLog *crashLog
	ctx      context.Context // of the samples; it ends with the watcher
	stop     chan struct{}
	done     chan struct{}
	// broken is what ended the watcher early; it is there when done is closed.
	broken *caught.Panic

	mu      sync.Mutex
	samples [][]recording.Entry
}

// watch begins a watcher. Where it sees that the target cannot answer it ends the
// returned context.
func (l *Live) watch(ctx context.Context) (context.Context, *watcher) {
	ctx, cancel := context.WithCancelCause(ctx)
	v := &watcher{
		l: l, cancel: cancel, ctx: ctx, crashLog: l.openCrashLog(),
		stop: make(chan struct{}), done: make(chan struct{}),
	}
	go v.run()
	go v.giveUp()
	return ctx, v
}

func (v *watcher) run() {
	defer close(v.done)
	v.broken = caught.Try(v.sampling)
}

// giveUp ends the wait for an answer that is not near.
func (v *watcher) giveUp() {
	_ = caught.Try(func() {
		if v.l.noAnswerNear(v.ctx) {
			v.cancel(errPlain)
		}
	})
}

// sampling goes on until it is stopped, or what it sees is plain.
func (v *watcher) sampling() {
	wait := v.l.Timeout
	if wait <= 0 {
		wait = attach.DefaultTimeout
	}
	begin, told, plain := time.Now(), v.l.OnSilence == nil, 0
	next := min(firstSample+time.Duration(v.l.Process.Threads)*perThread, wait/samplesPerWait)
	for {
		if !v.sleep(next) {
			return
		}
		next = max(wait/samplesPerWait, 50*time.Millisecond)
		if plain = v.take(plain); plain > 1 {
			v.cancel(errPlain)
			return
		}
		if !told && time.Since(begin) >= firstWord {
			told = true
			v.l.OnSilence()
		}
	}
}

func (v *watcher) sleep(d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-v.stop:
		return false
	}
}

// take adds a sample; it counts those in a row in which the target could not run.
func (v *watcher) take(plain int) int {
	v.mu.Lock()
	full := len(v.samples) == 0
	v.mu.Unlock()
	sample := v.l.sample(v.ctx, full)
	v.add(sample)
	if p := form.ProcessOf(sample); p.Frozen || cannotRun(p.State) {
		return plain + 1
	}
	return 0
}

func cannotRun(state string) bool { return state == "T" || state == "t" || state == "Z" }

// lastReading bounds how long an unfinished sample is waited for: the kernel may
// hang over a process that hangs in it.
const lastReading = 300 * time.Millisecond

// end ends the watcher. For a failed attempt it returns all that was seen, the last
// of it at this moment.
func (v *watcher) end(err error) []recording.Entry {
	defer v.crashLog.close()
	defer v.cancel(nil)
	close(v.stop)
	if !explicable(err) {
		return nil
	}
	inTime(lastReading, func(ctx context.Context) {
		select {
		case <-v.done:
			v.broken.Again()
		case <-ctx.Done():
		}
	})
	inTime(2*lastReading, func(ctx context.Context) { v.finish(ctx, !shortOfMemory(err)) })
	v.mu.Lock()
	defer v.mu.Unlock()
	var all []recording.Entry
	for _, s := range v.samples {
		all = append(all, s...)
	}
	return all
}

// inTime waits for f no longer than that. f ends with its context: only a call of the
// kernel that hangs may outlast it.
func inTime(limit time.Duration, f func(context.Context)) {
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	defer cancel()
	done := make(chan *caught.Panic, 1)
	go func() { done <- caught.Try(func() { f(ctx) }) }()
	select {
	case broken := <-done:
		broken.Again()
	case <-ctx.Done():
	}
}

// finish adds what is needed to tell two moments apart, or one moment where two are too
// much.
func (v *watcher) finish(ctx context.Context, two bool) {
	v.mu.Lock()
	n := len(v.samples)
	first := time.Since(v.l.start)
	if n > 0 {
		first = v.samples[0][0].At
	}
	v.mu.Unlock()
	last := v.l.sample(ctx, true)
	if span := time.Since(v.l.start) - first; n == 0 && two && !stands(last) {
		v.add(last)
		time.Sleep(shortestSpan - span)
		last = v.l.sample(ctx, true)
	}
	if ctx.Err() != nil {
		return // it is not whole
	}
	v.add(append(last, v.crashLog.entry(last[0].At)...))
}

func (v *watcher) add(sample []recording.Entry) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.samples = append(v.samples, sample)
}

// stands tells a target in which nothing moves, or that is gone: a second reading
// after a pause would show the same.
func stands(sample []recording.Entry) bool {
	p := form.ProcessOf(sample)
	return p.Gone || p.Frozen || cannotRun(p.State)
}

// sample reads what can be seen of the target at one moment; all entries have the
// same time. A full one includes the machine. Once ctx is done nothing more is read.
func (l *Live) sample(ctx context.Context, full bool) []recording.Entry {
	at := time.Since(l.start)
	entries := []recording.Entry{l.processStat()}
	if ctx.Err() == nil {
		entries = append(entries, l.silentTasks(), l.counters())
	}
	if ctx.Err() != nil {
		entries[0].At = at
		return entries
	}
	if full {
		entries = append(entries, l.surroundings()...)
	} else {
		entries = append(entries, l.kernelFile("process/status", "status"))
	}
	entries = append(
		entries,
		recording.Entry{Kind: recording.Kernel, Name: form.FileFrozen, Bytes: l.Kernel.Frozen(l.Process.PID)},
		recording.Entry{Kind: recording.Kernel, Name: form.FileClients, Bytes: l.listenerLines()},
		recording.Entry{Kind: recording.Kernel, Name: form.FileVMStat, Bytes: l.oomLine()},
		recording.Entry{Kind: recording.Kernel, Name: form.FileAge, Bytes: l.age()},
		recording.Entry{
			Kind: recording.Kernel, Name: form.FileRelease, Bytes: strconv.AppendInt(nil, int64(l.Process.Major), 10),
		},
	)
	for i := range entries {
		entries[i].At = at
	}
	return entries
}

// age is how long the process has been there, in nanoseconds; nil if unknown.
func (l *Live) age() []byte {
	uptime, err := l.Kernel.Uptime()
	if err != nil {
		return nil
	}
	return strconv.AppendInt(nil, kernel.Age(uptime, l.Process.StartTime).Nanoseconds(), 10)
}

func (l *Live) kernelFile(name, file string) recording.Entry {
	raw, err := l.Kernel.ReadFile(l.Process.PID, file)
	return recording.Entry{Kind: recording.Kernel, Name: name, Bytes: raw, Err: err}
}

// mostChannels bounds of how many threads it is asked where in the kernel they sleep.
const mostChannels = 1000

// silentTasks reads all threads: what the kernel says of them is all there is.
func (l *Live) silentTasks() recording.Entry {
	entry := recording.Entry{Kind: recording.Tasks, Name: form.AllTasks}
	tasks, err := l.Kernel.Tasks(l.Process.PID, kernel.TaskOptions{CPU: true, State: true})
	if err != nil {
		entry.Err = err
		return entry
	}
	asked := make([]int, 0, min(len(tasks), mostChannels))
	for tid, t := range tasks {
		always := t.State == "D" || t.Comm == vmThread
		if t.State != "R" && (always || len(tasks) <= mostChannels) {
			asked = append(asked, tid)
		}
	}
	asleep, _ := l.Kernel.Tasks(l.Process.PID, kernel.TaskOptions{WaitChannel: true, Only: asked})
	for tid, s := range asleep {
		t := tasks[tid]
		t.WaitChannel = s.WaitChannel
		tasks[tid] = t
	}
	entry.Bytes = form.WriteAllTasks(tasks)
	return entry
}

// vmThread is the name of the thread that stops and restarts the application.
const vmThread = "VM Thread"
