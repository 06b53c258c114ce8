package capture

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"sync/atomic"
	"time"

	"github.com/jstall/jstall/attach"
	"github.com/jstall/jstall/internal/caught"
	"github.com/jstall/jstall/internal/hotspot"
	"github.com/jstall/jstall/internal/kernel"
)

// MemoryError is why the memory of a JVM was not read, and what lets us.
type MemoryError struct {
	Cause, Remedy string
	Err           error
}

func (e *MemoryError) Error() string {
	if e.Remedy == "" {
		return e.Cause
	}
	return e.Cause + "; " + e.Remedy
}

func (e *MemoryError) Unwrap() error { return e.Err }

// memoryReader reads the memory of a JVM that runs.
type memoryReader struct {
	*target
	// Timeout bounds one reading; 0 and less: [attach.DefaultTimeout].
	Timeout time.Duration
	// Rerun words remedies that are to run the user's command again; see [attach.Client].
	Rerun func(attach.Rerun) string

	// process is the process that was opened, nil before.
	process *hotspot.Process
	// progress counts what was read of the virtual threads.
	progress atomic.Int64
}

// untested is the processor for which reading is not tested, empty for none and before anything was read.
func (l *memoryReader) untested() string {
	if l.process == nil {
		return ""
	}
	return l.process.Untested()
}

// timeout bounds one reading of the target's memory.
func (l *memoryReader) timeout() time.Duration {
	if l.Timeout <= 0 {
		return attach.DefaultTimeout
	}
	return l.Timeout
}

// readMemory is a dump read from the target's memory.
func (l *memoryReader) readMemory(ctx context.Context) (*hotspot.Dump, error) {
	return fromMemory(ctx, l, l.timeout(), l.dumpOfMemory)
}

// fromMemory reads the target's memory. A page that comes from a disk or a server may hold the reading: it is given
// up after the limit, unless virtual threads were read in that time. Their reading has a limit of its own, by their
// number.
func fromMemory[T any](
	ctx context.Context, l *memoryReader, limit time.Duration, read func(context.Context) (T, error),
) (T, error) {
	within, cancel := context.WithCancel(ctx)
	defer cancel()
	progress := l.progress.Load()
	watch := time.NewTicker(limit)
	defer watch.Stop()
	type result struct {
		value  T
		err    error
		broken *caught.Panic
	}
	done := make(chan result, 1)
	go func() {
		var r result
		r.broken = caught.Try(func() { r.value, r.err = read(within) })
		done <- r
	}()
	for {
		select {
		case r := <-done:
			r.broken.Repanic()
			return r.value, r.err
		case <-watch.C:
			now := l.progress.Load()
			if now != progress {
				progress = now
				continue
			}
		case <-ctx.Done():
		}
		var none T
		return none, l.late(ctx, limit)
	}
}

func (l *memoryReader) late(ctx context.Context, limit time.Duration) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	return &MemoryError{Cause: fmt.Sprintf("reading it took longer than %v", limit), Remedy: "increase --timeout"}
}

func (l *memoryReader) dumpOfMemory(ctx context.Context) (*hotspot.Dump, error) {
	p, err := l.openMemory(ctx)
	if err != nil {
		return nil, err
	}
	d, err := p.Dump(ctx)
	if err != nil {
		return nil, l.unread(err)
	}
	return d, nil
}

// supplementOfMemory reads what a dump of the JVM lacks. It reads no registers.
func (l *memoryReader) supplementOfMemory(facts bool) func(context.Context) (*hotspot.Dump, error) {
	return func(ctx context.Context) (*hotspot.Dump, error) {
		p, err := l.openMemory(ctx)
		if err != nil {
			return nil, err
		}
		d, err := p.Supplement(ctx, facts)
		if err != nil {
			return nil, l.unread(err)
		}
		return d, nil
	}
}

// openMemory opens the process that was chosen, and no other that has its id by now.
func (l *memoryReader) openMemory(ctx context.Context) (*hotspot.Process, error) {
	if l.process != nil {
		return l.process, nil
	}
	if foreign := attach.ForeignProc(l.Kernel); foreign != "" {
		return nil, &MemoryError{Cause: foreign, Remedy: attach.ShareNamespace}
	}
	if text, err := l.Kernel.ReadFile(l.Process.PID, "stat"); err == nil {
		stat, err := kernel.ParseStat(text)
		if err == nil && l.Process.StartTime != 0 && stat.StartTime != l.Process.StartTime {
			return nil, fmt.Errorf("process %d ended, and another has its id: %w", l.Process.PID, fs.ErrNotExist)
		}
	}
	p, err := hotspot.OpenProcess(ctx, l.Kernel, l.Process.PID)
	if err != nil {
		return nil, l.unread(err)
	}
	p.CountProgress(&l.progress)
	l.process = p
	return p, nil
}

// unread says which right is missing where that is the cause.
func (l *memoryReader) unread(err error) error {
	if !errors.Is(err, fs.ErrPermission) {
		return err
	}
	check := l.MemoryRight()
	return &MemoryError{Cause: check.Detail, Remedy: check.Remedy, Err: err}
}

// mayReadMemory tells that the memory can be read, without reading threads.
func (l *memoryReader) mayReadMemory(ctx context.Context) bool {
	_, err := l.openMemory(ctx)
	return err == nil
}
