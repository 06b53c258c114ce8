package memory

import (
	"bytes"
	"context"
	"strconv"
	"time"

	"github.com/jstall/jstall/internal/hotspot"
	"github.com/jstall/jstall/internal/recording"
	"github.com/jstall/jstall/internal/source"
	"github.com/jstall/jstall/internal/source/form"
)

// supplementLimit bounds a reading right after a dump. It takes 10 ms for 40 threads.
const supplementLimit = 2 * time.Second

// Supplement reads, right after a dump that the JVM gave, what that dump lacks: what threads wait for and work for, and
// the virtual threads. It returns an entry for each, or none where the request needs none, and how long a successful
// reading took. After a failure it does not try again.
func (l *Reader) Supplement(ctx context.Context, r source.Request, dump []byte) ([]recording.Entry, time.Duration) {
	objects := r.Objects == source.AllObjects || r.Objects == source.ObjectsOfTasks && waitsForTask(dump)
	virtual := r.Needs.Virtual && l.Process.MayHaveVirtual()
	if !objects && !virtual {
		return nil, 0
	}
	begin := time.Now()
	objects = objects && l.failed == nil
	d, err := l.supplement(ctx, objects)
	if err == nil && !objects && r.Objects == source.ObjectsOfTasks && waitsForTask(d.VirtualText()) {
		objects = true
		d, err = l.supplement(ctx, true)
	}
	l.failed = err
	took := time.Since(begin)
	entries := supplementEntries(d, err, objects, virtual)
	for i := range entries {
		entries[i].At, entries[i].Took = begin.Sub(l.Start), took
	}
	if err != nil {
		return entries, 0
	}
	return entries, took
}

// supplementEntries are the entries of what was read, or of why it was not.
func supplementEntries(d *hotspot.Dump, err error, objects, virtual bool) []recording.Entry {
	var entries []recording.Entry
	if objects {
		var facts hotspot.Facts
		if err == nil {
			facts = d.Facts
		}
		entries = append(entries, form.ObjectsEntry(facts, err))
	}
	if virtual {
		entries = append(entries, form.VirtualOfDump(d, err)...)
	}
	return entries
}

// supplement reads the memory without registers, unless that failed before.
func (l *Reader) supplement(ctx context.Context, facts bool) (*hotspot.Dump, error) {
	if l.failed != nil {
		return nil, l.failed
	}
	return FromMemory(ctx, l, min(l.Limit(), supplementLimit), func(ctx context.Context) (*hotspot.Dump, error) {
		p, err := l.Open(ctx)
		if err != nil {
			return nil, err
		}
		d, err := p.Supplement(ctx, facts)
		if err != nil {
			return nil, l.unread(err)
		}
		return d, nil
	})
}

// waitsForTask reports whether a thread of a dump waits for a FutureTask or a CompletableFuture, by a frame of theirs.
func waitsForTask(dump []byte) bool {
	return bytes.Contains(dump, []byte("java.util.concurrent.FutureTask.awaitDone(")) ||
		bytes.Contains(dump, []byte("java.util.concurrent.CompletableFuture$Signaller.block("))
}

// VirtualOf is the virtual threads that belong to a dump which the JVM has just given, as text that follows it; nil
// where they cannot be read.
func (l *Reader) VirtualOf(ctx context.Context, dump []byte) []byte {
	list, ok := listOf(dump)
	if !ok || !l.Process.MayHaveVirtual() {
		return nil
	}
	d, err := l.supplement(ctx, false)
	if err != nil {
		return nil
	}
	return d.VirtualTextOf(list)
}

// listOf is the address of the list of threads in the head of a dump.
func listOf(dump []byte) (uint64, bool) {
	const head, digits = 1 << 10, 16 // it comes before all names of threads
	_, rest, found := bytes.Cut(dump[:min(head, len(dump))], []byte("_java_thread_list=0x"))
	if !found || len(rest) < digits {
		return 0, false
	}
	list, err := strconv.ParseUint(string(rest[:digits]), 16, 64)
	return list, err == nil
}
