package live

import (
	"context"
	"errors"
	"io"
	"slices"
	"time"

	"github.com/jstall/jstall/analysis/stack"
	"github.com/jstall/jstall/attach"
	"github.com/jstall/jstall/internal/jvm"
	"github.com/jstall/jstall/internal/kernel"
	"github.com/jstall/jstall/internal/recording"
	"github.com/jstall/jstall/internal/source"
	"github.com/jstall/jstall/internal/source/form"
	"github.com/jstall/jstall/internal/source/memory"
	"github.com/jstall/jstall/internal/source/target"
	"github.com/jstall/jstall/internal/source/unresponsive"
)

// Source is a source that asks a running JVM.
type Source struct {
	Kernel  *kernel.Reader
	Process jvm.Process
	// Count is the number of readings, Interval the time between their starts.
	Count    int
	Interval time.Duration
	// Plain asks for no figures per thread but CPU time, as for a single dump: what a thread has allocated means
	// something only from the second dump on.
	Plain bool
	// Timeout bounds one attach command; 0: [attach.DefaultTimeout]; negative: no limit.
	Timeout time.Duration
	// Force asks although a check says that this is likely to do harm.
	Force bool
	// Via says whether the JVM is asked, or its memory is read; empty is ViaAttach.
	Via source.Via
	// TellStopped has a reading of the memory of a stopped JVM report that it is stopped, as its memory alone looks
	// like that of an idle one. The JVM is shown as one that gave no answer.
	TellStopped bool
	// OnNoAnswer, if set, is called when a dump has taken so long that the user needs a message.
	OnNoAnswer func()
	// OnJavaCode, if set, is called before the first command that runs Java code in the JVM, with its name.
	OnJavaCode func(command string)

	seen *target.JVM
	// memory is the target's memory, nil until it is needed.
	memory *memory.Reader
	asks   *Asker
	taken  int
	// waited is how long a JVM was waited for that gave no dump: the readings after it come later by this time.
	waited time.Duration
	cost   source.Cost
}

// Next waits for the time of the next reading and takes it. Whatever does not need the target's help (/proc, counters)
// is read at the same time as the dump.
func (l *Source) Next(ctx context.Context, r source.Request) ([]recording.Entry, error) {
	if r.Repeat || r.Virtual {
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
		entries := l.fromMemory(ctx, r)
		return entries, errors.Join(ctx.Err(), entries[0].Err)
	}
	locks, entries := l.mayAskForLocks(ctx, r)
	dump := l.dumpWithCost(ctx, r, locks)
	if dump[0].Err != nil {
		return append(append(dump, entries...), l.instead(ctx, r, dump[0].Err)...), ctx.Err()
	}
	entries = append(entries, dump...)
	if l.Via == source.ViaAuto {
		supplement, took := l.Memory().Supplement(ctx, r, dump[0].Bytes)
		l.cost.Memory.WithDumps += took
		entries = append(entries, supplement...)
	}
	return append(entries, l.alongside(ctx, r)...), ctx.Err()
}

// afterwards is a reading that belongs to the last one: its dump once more, or the list of virtual threads that Java
// code writes.
func (l *Source) afterwards(ctx context.Context, r source.Request) ([]recording.Entry, error) {
	switch {
	case r.Virtual && !r.JavaCode:
		return nil, nil
	case l.FromMemory():
		return nil, ctx.Err()
	case r.Repeat:
		return l.again(ctx, r)
	}
	return l.virtual(ctx)
}

// alongside returns the entries of a reading other than the dump and the facts from the JVM's memory.
func (l *Source) alongside(ctx context.Context, r source.Request) []recording.Entry {
	var entries []recording.Entry
	if l.Count > 1 { // it shows only changes, and takes the kernel time for each thread
		entries = append(entries, l.Target().Stat())
	}
	if r.Machine {
		entries = append(entries, l.Target().Surroundings()...)
	}
	if r.CodeCache {
		entries = append(entries, l.Asker().jcmd(ctx, form.CodeCacheCommand))
	}
	if r.Loaders {
		entries = append(entries, l.Asker().jcmd(ctx, form.LoadersCommand))
	}
	return entries
}

// again takes the dump of the last reading once more, if it may be one with locks.
func (l *Source) again(ctx context.Context, r source.Request) ([]recording.Entry, error) {
	locks, entries := l.mayAskForLocks(ctx, r)
	if locks {
		entries = append(entries, l.dumpWithCost(ctx, source.Request{Early: r.Early}, locks)...)
	}
	return entries, ctx.Err()
}

// mayAskForLocks decides for one dump. A request to the JVM for the decision is an entry.
func (l *Source) mayAskForLocks(ctx context.Context, r source.Request) (bool, []recording.Entry) {
	switch r.Locks {
	case source.LocksAlways:
		l.cost.Locks = source.LockOutcome{Asked: true}
		return true, nil
	case source.LocksAuto:
		outcome, asked := l.Asker().predictLocks(ctx, r.MaxPause)
		l.cost.Locks = outcome
		return outcome.Asked, []recording.Entry{asked}
	}
	return false, nil
}

// dumpWithCost takes the dump, first of the entries, and the facts that must be read right before and after it. If the
// JVM does not answer, it takes the other facts about it.
func (l *Source) dumpWithCost(ctx context.Context, r source.Request, locks bool) []recording.Entry {
	before := l.Target().Counters()
	l.Asker().justRead = before.Bytes
	waiting, watcher := l.watch(ctx)
	entries := []recording.Entry{l.dump(waiting, r, locks)}
	l.Asker().justRead = nil
	dump := entries[0]
	if seen := watcher.End(dump.Err); dump.Err != nil {
		return append(entries, seen...)
	}
	if r.Tasks {
		entries = append(entries, l.Target().Tasks(dump.Bytes))
	}
	after := l.Target().Counters()
	l.cost.Add(pauseBetween(before, after, dump.Took))
	return append(entries, after)
}

// watch begins a watcher during the wait for an answer.
func (l *Source) watch(ctx context.Context) (context.Context, *unresponsive.Watcher) {
	return unresponsive.Watch(ctx, l.Target(), unresponsive.Patience{
		Timeout: l.Timeout, Waiting: l.OnNoAnswer, NoAnswerNear: l.Asker().noAnswerNear,
	})
}

// Sample takes one plain dump for a profile, from the JVM's memory or by a request.
func (l *Source) Sample(ctx context.Context, fromMemory bool) recording.Entry {
	if fromMemory {
		return l.fromMemory(ctx, source.Request{})[0]
	}
	return l.dump(ctx, source.Request{}, false)
}

// AddFilesLeft notes files of jstall that remain on the target's disk.
func (l *Source) AddFilesLeft(files []string) { l.cost.FilesLeft = append(l.cost.FilesLeft, files...) }

// Left is the number of remaining readings.
func (l *Source) Left() int { return l.Count - l.taken }

// Cost is the cost so far.
func (l *Source) Cost() source.Cost {
	c := l.cost
	c.Source = "attach"
	if l.asks != nil {
		c.FilesLeft = append(slices.Clone(c.FilesLeft), l.asks.filesLeft...)
	}
	if l.memory != nil {
		c.Memory.Untested = l.memory.Untested()
	}
	if l.FromMemory() {
		c.Source = "memory"
	}
	return c
}

// wait sleeps until the next reading is due.
func (l *Source) wait(ctx context.Context) error {
	if l.taken == 0 {
		l.Target().Start = time.Now()
		return ctx.Err()
	}
	due := l.Target().Start.Add(l.waited + time.Duration(l.taken)*l.Interval)
	timer := time.NewTimer(time.Until(due))
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (l *Source) dump(ctx context.Context, r source.Request, locks bool) recording.Entry {
	var work []func()
	if l.taken == 1 {
		work = append(work, func() { warmHeap(l.Process.Threads) }, stack.Prepare)
	}
	command := l.threadDump(locks)
	command.Early = r.Early
	begin := time.Now()
	var answer *attach.Answer
	err := l.Asker().standstill(ctx)
	if err == nil {
		answer, err = l.Asker().execute(ctx, command, work...)
	}
	entry := recording.Entry{Kind: recording.ThreadDump, At: begin.Sub(l.Target().Start), Took: time.Since(begin),
		Err: err}
	if answer != nil {
		entry.Took = answer.Took
		entry.Bytes = answer.Body
	}
	return entry
}

func (l *Source) threadDump(locks bool) attach.Command {
	if l.Plain && !locks {
		return attach.PlainThreadDump()
	}
	return attach.ThreadDump(l.Process.Major, locks)
}

// Target reads the facts of the kernel and the counters about the JVM.
func (l *Source) Target() *target.JVM {
	if l.seen == nil {
		l.seen = &target.JVM{Kernel: l.Kernel, Process: l.Process}
	}
	return l.seen
}

// Asker sends commands to the JVM.
func (l *Source) Asker() *Asker {
	if l.asks == nil {
		l.asks = &Asker{
			JVM: l.Target(), memory: l.Memory(), Timeout: l.Timeout, Force: l.Force,
			auto: l.Via == source.ViaAuto,
		}
	}
	return l.asks
}

// Memory is the memory of the JVM.
func (l *Source) Memory() *memory.Reader {
	if l.memory == nil {
		l.memory = &memory.Reader{JVM: l.Target(), Timeout: l.Timeout}
	}
	return l.memory
}

// Fork is a source for other readings of the same JVM over the same connection.
func (l *Source) Fork() *Source {
	other := &Source{Kernel: l.Kernel, Process: l.Process, Timeout: l.Timeout}
	other.Asker().client = l.Asker().attachClient()
	return other
}
