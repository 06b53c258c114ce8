package live

import (
	"bytes"
	"context"
	"time"

	"github.com/jstall/jstall/internal/hotspot"
	"github.com/jstall/jstall/internal/recording"
	"github.com/jstall/jstall/internal/source"
	"github.com/jstall/jstall/internal/source/form"
	"github.com/jstall/jstall/internal/source/memory"
)

// objectsLimit bounds the reading that follows a dump. It takes 10 ms for 40 threads.
const objectsLimit = 2 * time.Second

// supplement reads from the target's memory, right after a dump that the target gave, what that dump lacks: what
// threads wait for and work for, and the virtual threads. It returns an entry for each, or none if the memory may not
// be read.
func (l *Source) supplement(ctx context.Context, r source.Request, dump []byte) []recording.Entry {
	objects := r.Objects == source.AllObjects || r.Objects == source.ObjectsOfTasks && waitsForTask(dump)
	virtual := r.Needs.Virtual && l.mayHaveVirtual()
	if l.Via != source.ViaAuto || !objects && !virtual {
		return nil
	}
	begin := time.Now()
	objects = objects && l.noMemory == nil
	d, err := l.readSupplement(ctx, objects)
	if err == nil && !objects && r.Objects == source.ObjectsOfTasks && waitsForTask(d.VirtualText()) {
		objects = true
		d, err = l.readSupplement(ctx, true)
	}
	took := time.Since(begin)
	if l.noMemory = err; err == nil {
		l.cost.Memory.WithDumps += took
	}
	entries := supplementEntries(d, err, objects, virtual)
	for i := range entries {
		entries[i].At, entries[i].Took = begin.Sub(l.Target().Start), took
	}
	return entries
}

// supplementEntries are the entries of what was read, or of why it was not.
func supplementEntries(d *hotspot.Dump, err error, objects, virtual bool) []recording.Entry {
	var entries []recording.Entry
	if objects {
		entries = append(entries, form.ObjectsEntry(factsOf(d), err))
	}
	if virtual {
		entries = append(entries, form.VirtualOfDump(d, err)...)
	}
	return entries
}

// mayHaveVirtual reports a release with virtual threads, or one that is not known.
func (l *Source) mayHaveVirtual() bool {
	return l.Process.Major == 0 || l.Process.Major >= firstVirtual
}

// readSupplement reads the memory, unless that failed before.
func (l *Source) readSupplement(ctx context.Context, objects bool) (*hotspot.Dump, error) {
	if l.noMemory != nil {
		return nil, l.noMemory
	}
	return memory.FromMemory(ctx, l.Memory(), min(l.Memory().Limit(), objectsLimit), l.Memory().Supplement(objects))
}

func factsOf(d *hotspot.Dump) hotspot.Facts {
	if d == nil {
		return hotspot.Facts{}
	}
	return d.Facts
}

// waitsForTask reports whether a thread of a dump waits for a FutureTask or a CompletableFuture, by one of its frames.
func waitsForTask(dump []byte) bool {
	return bytes.Contains(dump, []byte("java.util.concurrent.FutureTask.awaitDone(")) ||
		bytes.Contains(dump, []byte("java.util.concurrent.CompletableFuture$Signaller.block("))
}
