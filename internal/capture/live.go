// Package capture takes what can be seen of a JVM.
package capture

import (
	"context"
	"errors"
	"io"
	"slices"
	"sync/atomic"
	"time"

	"github.com/jstall/jstall/analysis/stack"
	"github.com/jstall/jstall/attach"
	"github.com/jstall/jstall/internal/hotspot"
	"github.com/jstall/jstall/internal/jvm"
	"github.com/jstall/jstall/internal/kernel"
	"github.com/jstall/jstall/internal/recording"
	"github.com/jstall/jstall/internal/source"
	"github.com/jstall/jstall/internal/source/form"
)

// Live is a source that asks a running JVM.
type Live struct {
	Kernel  *kernel.Reader
	Process jvm.Process
	// Count readings, Interval apart from start to start.
	Count    int
	Interval time.Duration
	// Plain asks for no figures per thread but CPU time, as for a dump that is compared
	// with no other: what it has allocated tells something from the second one on.
	Plain bool
	// Timeout bounds one attach command; 0: [attach.DefaultTimeout]; negative: nothing does.
	Timeout time.Duration
	// Rerun words remedies that are to run the user's command again; see [attach.Client].
	Rerun func(attach.Rerun) string
	// Force asks although a check says that it is likely to do harm.
	Force bool
	// Via says whether the JVM is asked, or its memory read; empty is ViaAttach.
	Via source.Via
	// TellStopped has a reading of the memory of a JVM that is stopped say so: its memory alone reads like that of an
	// idle one. The JVM is shown as one that gave no answer.
	TellStopped bool
	// OnSilence, if set, is called when a dump has been waited for as long as people
	// do without a word.
	OnSilence func()
	// OnJavaCode, if set, is called before the first command that runs Java code in the JVM, with its name.
	OnJavaCode func(command string)

	client *attach.Client
	// memory is the target's, nil as long as it was not needed.
	memory *hotspot.Process
	// reading counts what was read of its virtual threads.
	reading atomic.Int64
	// noMemory is why it could not be read after a dump, nil if it could: it is not tried again.
	noMemory error
	// sent is what the target was sent so far.
	sent []attach.Sent
	// justRead are counters of right before a request, nil once they are looked at or old.
	justRead []byte
	taken    int
	start    time.Time
	// waited is how long a JVM was waited for that gave no dump: the readings after it come later by so much.
	waited time.Duration
	cost   source.Cost
}

// Next waits for the moment of the next reading and takes it. What does not need
// the target's help (/proc, counters) is read beside the dump, at the same
// moment.
func (l *Live) Next(ctx context.Context, r source.Request) ([]recording.Entry, error) {
	if r.Again || r.Virtual {
		return l.afterwards(ctx, r)
	}
	if l.taken == l.Count {
		return nil, io.EOF
	}
	if err := l.wait(ctx); err != nil {
		return nil, err
	}
	l.taken++
	if r.Standing = l.standing(ctx, r); r.Standing != nil {
		return l.unasked(ctx, r)
	}
	if l.FromMemory() {
		entries := l.lookAtMemory(ctx, r)
		return entries, errors.Join(ctx.Err(), entries[0].Err)
	}
	locks, entries := l.mayAskForLocks(ctx, r)
	dump := l.dumpWithCost(ctx, r, locks)
	if dump[0].Err != nil {
		return append(append(dump, entries...), l.instead(ctx, r, dump[0].Err)...), ctx.Err()
	}
	entries = append(entries, dump...)
	entries = append(entries, l.supplement(ctx, r, dump[0].Bytes)...)
	return append(entries, l.alongside(ctx, r)...), ctx.Err()
}

// afterwards is a reading that belongs to the last one: its dump once more, or what Java code writes of virtual
// threads.
func (l *Live) afterwards(ctx context.Context, r source.Request) ([]recording.Entry, error) {
	switch {
	case r.Virtual && !r.JavaCode:
		return nil, nil
	case l.FromMemory():
		return nil, ctx.Err()
	case r.Again:
		return l.again(ctx, r)
	}
	return l.virtual(ctx)
}

// alongside is what a reading has in addition to the dump and what the JVM's memory adds to it.
func (l *Live) alongside(ctx context.Context, r source.Request) []recording.Entry {
	var entries []recording.Entry
	if l.Count > 1 { // it tells what changes only, and takes the kernel as long as there are threads
		entries = append(entries, l.processStat())
	}
	if r.Machine {
		entries = append(entries, l.surroundings()...)
	}
	if r.CodeCache {
		entries = append(entries, l.jcmd(ctx, form.CodeCacheCommand))
	}
	if r.Loaders {
		entries = append(entries, l.jcmd(ctx, form.LoadersCommand))
	}
	return entries
}

// again takes the dump of the last reading once more, if it may be one with locks.
func (l *Live) again(ctx context.Context, r source.Request) ([]recording.Entry, error) {
	locks, entries := l.mayAskForLocks(ctx, r)
	if locks {
		entries = append(entries, l.dumpWithCost(ctx, source.Request{Early: r.Early}, locks)...)
	}
	return entries, ctx.Err()
}

// dumpWithCost takes the dump, first of the entries, and what must be read right
// before and after it; of a JVM that does not answer, what else there is to see.
func (l *Live) dumpWithCost(ctx context.Context, r source.Request, locks bool) []recording.Entry {
	before := l.counters()
	l.justRead = before.Bytes
	waiting, watcher := l.watch(ctx)
	entries := []recording.Entry{l.dump(waiting, r, locks)}
	l.justRead = nil
	dump := entries[0]
	if seen := watcher.end(dump.Err); dump.Err != nil {
		return append(entries, seen...)
	}
	if r.Tasks {
		entries = append(entries, l.tasks(dump.Bytes))
	}
	after := l.counters()
	l.account(dump.Took, before, after)
	return append(entries, after)
}

// Left is how many readings are still to come.
func (l *Live) Left() int { return l.Count - l.taken }

// Cost is the sum so far.
func (l *Live) Cost() source.Cost {
	c := l.cost
	c.Source = "attach"
	if l.FromMemory() {
		c.Source = "memory"
	}
	return c
}

// wait sleeps until the next reading is due.
func (l *Live) wait(ctx context.Context) error {
	if l.taken == 0 {
		l.start = time.Now()
		return ctx.Err()
	}
	due := l.start.Add(l.waited + time.Duration(l.taken)*l.Interval)
	timer := time.NewTimer(time.Until(due))
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (l *Live) dump(ctx context.Context, r source.Request, locks bool) recording.Entry {
	var work []func()
	if l.taken == 1 {
		work = append(work, func() { warmHeap(l.Process.Threads) }, stack.Prepare)
	}
	command := l.threadDump(locks)
	command.Early = r.Early
	begin := time.Now()
	var answer *attach.Answer
	err := l.standstill(ctx)
	if err == nil {
		answer, err = l.execute(ctx, command, work...)
	}
	entry := recording.Entry{Kind: recording.ThreadDump, At: begin.Sub(l.start), Took: time.Since(begin), Err: err}
	if answer != nil {
		entry.Took = answer.Took
		entry.Bytes = answer.Body
	}
	return entry
}

func (l *Live) threadDump(locks bool) attach.Command {
	if l.Plain && !locks {
		return attach.PlainThreadDump()
	}
	return attach.ThreadDump(l.Process.Major, locks)
}

// Execute sends one command to the JVM. On failure the error is an
// *attach.Error; the files it had to leave are in the Cost.
func (l *Live) Execute(ctx context.Context, cmd attach.Command) (*attach.Answer, error) {
	return l.execute(ctx, cmd)
}

// refuses returns why a command is not sent to this JVM whatever else holds, nil if it may be. The error is an
// *attach.Error.
func (l *Live) refuses(cmd attach.Command) error {
	return l.attachClient().Refusal(l.attachTarget(), cmd)
}

// execute is Execute with work to do during the request.
func (l *Live) execute(ctx context.Context, cmd attach.Command, work ...func()) (*attach.Answer, error) {
	if l.client == nil {
		work = append(work, func() { inTime(clearing, l.clearLeft) })
	}
	client := l.attachClient()
	start, wait := meanwhile(work)
	cmd.Asked = start
	watched, end := l.watchStopped(ctx)
	defer end()
	answer, err := client.Execute(watched, l.attachTarget(), cmd)
	if refusedForLimit(err) { // nothing to do it beside, and perhaps no memory
		return answer, err
	}
	defer wait()
	if answer != nil && err == nil {
		l.sent = append(l.sent, answer.Sent...)
	}
	if e := (*attach.Error)(nil); errors.As(err, &e) {
		l.cost.FilesLeft = append(l.cost.FilesLeft, e.FilesLeft...)
		l.sent = append(l.sent, e.Sent...)
		e.Sent = slices.Clone(l.sent)
	}
	return answer, err
}

// executeFor is Execute for a command that may take longer than others.
func (l *Live) executeFor(ctx context.Context, patience time.Duration, cmd attach.Command) (*attach.Answer, error) {
	client := l.attachClient()
	defer func(d time.Duration) { client.Timeout = d }(client.Timeout)
	client.Timeout = max(client.Timeout, patience)
	return l.Execute(ctx, cmd)
}

func (l *Live) attachClient() *attach.Client {
	if l.client == nil {
		l.client = &attach.Client{
			Proc: l.Kernel, RunAs: kernel.RunAs, Timeout: l.Timeout, Rerun: l.Rerun, Hold: l.holdDuringGC,
			Limits: newRoom(l.Kernel), Force: l.Force,
		}
	}
	return l.client
}

func (l *Live) attachTarget() attach.Target {
	p := l.Process
	t := attach.Target{
		PID: p.PID, NSPID: p.NSPID, UID: p.UID, GID: p.GID, Groups: p.Groups,
		StartTime: p.StartTime, TempDir: p.TempDir, Major: p.Major, Version: p.JavaVersion, Collector: p.GC,
		Options: p.JVMArgs, Unread: p.Unread, SharesTemp: p.SharesTemp,
	}
	if p.Attachable.Known {
		t.Capabilities = "0"
		if p.Attachable.Value {
			t.Capabilities = "1"
		}
	}
	return t
}

// gcPoll is how often the counters are read while a collection runs.
const gcPoll = 2 * time.Millisecond

// holdDuringGC waits while the counters show a collection: a request sent into
// one is answered no earlier, and a trigger would have to stay behind if our
// deadline came first. Nothing is sent to a frozen process: attach asks for that
// only before a signal.
func (l *Live) holdDuringGC(ctx context.Context) error {
	if kernel.ParseFrozen(l.Kernel.Frozen(l.Process.PID)) {
		return errPlain
	}
	begin := time.Now()
	for l.inGC() {
		if l.Via == source.ViaAuto && time.Since(begin) > longStandstill && l.mayReadMemory(ctx) {
			return errPlain
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(gcPoll):
		}
	}
	return nil
}

// inGC reports whether the counters show a collection; those that were read right before
// the request are not read again.
func (l *Live) inGC() bool {
	raw := l.justRead
	if l.justRead = nil; raw == nil {
		raw = l.counters().Bytes
	}
	data, err := jvm.ParsePerfData(raw)
	return err == nil && data.InGC()
}

// counters reads the performance counters; an entry without bytes where the
// JVM has none.
func (l *Live) counters() recording.Entry {
	raw, err := jvm.ReadPerfData(l.Kernel, l.Process)
	return recording.Entry{Kind: recording.Counters, Bytes: raw, At: time.Since(l.start), Err: err}
}

func (l *Live) processStat() recording.Entry {
	raw, err := l.Kernel.ReadFile(l.Process.PID, "stat")
	return recording.Entry{Kind: recording.Process, Bytes: raw, At: time.Since(l.start), Err: err}
}

// account enters an answered request: the safepoint time that the counters
// gained over it, or its duration where there are no counters.
func (l *Live) account(took time.Duration, before, after recording.Entry) {
	was, errBefore := jvm.ParsePerfData(before.Bytes)
	is, errAfter := jvm.ParsePerfData(after.Bytes)
	if errBefore != nil || errAfter != nil {
		l.cost.Add(took, false)
		return
	}
	first, last := was.SafepointTime(), is.SafepointTime()
	if !first.Known || !last.Known {
		l.cost.Add(took, false)
		return
	}
	l.cost.Add(last.Value-first.Value, true)
}
