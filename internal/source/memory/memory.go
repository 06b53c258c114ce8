package memory

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
	"github.com/jstall/jstall/internal/source/target"
)

// Error is why the memory of a JVM was not read, and what lets us.
type Error struct {
	Cause, Remedy string
	Err           error
}

func (e *Error) Error() string {
	if e.Remedy == "" {
		return e.Cause
	}
	return e.Cause + "; " + e.Remedy
}

func (e *Error) Unwrap() error { return e.Err }

// Reader reads the memory of a JVM that runs.
type Reader struct {
	*target.JVM
	// Timeout bounds one reading; 0 and less: [attach.DefaultTimeout].
	Timeout time.Duration

	// opened is the process that was opened, nil before.
	opened *hotspot.Process
	// failed is why it could not be read after a dump, nil if it could: it is not tried again.
	failed error
	// progress counts what was read of the virtual threads.
	progress atomic.Int64
}

// Untested is the processor for which reading is not tested, empty for none and before anything was read.
func (l *Reader) Untested() string {
	if l.opened == nil {
		return ""
	}
	return l.opened.Untested()
}

// Limit bounds one reading of the target's memory.
func (l *Reader) Limit() time.Duration {
	if l.Timeout <= 0 {
		return attach.DefaultTimeout
	}
	return l.Timeout
}

// Dump is a dump read from the target's memory.
func (l *Reader) Dump(ctx context.Context) (*hotspot.Dump, error) {
	return FromMemory(ctx, l, l.Limit(), l.dumpOfMemory)
}

// FromMemory reads the target's memory. A page that comes from a disk or a server may block the reading: it is given up
// after the limit, unless virtual threads were read in that time. Reading virtual threads has a separate limit, by
// their number.
func FromMemory[T any](
	ctx context.Context, l *Reader, limit time.Duration, read func(context.Context) (T, error),
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

func (l *Reader) late(ctx context.Context, limit time.Duration) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	return &Error{Cause: fmt.Sprintf("reading it took longer than %v", limit), Remedy: "increase --timeout"}
}

func (l *Reader) dumpOfMemory(ctx context.Context) (*hotspot.Dump, error) {
	p, err := l.Open(ctx)
	if err != nil {
		return nil, err
	}
	d, err := p.Dump(ctx)
	if err != nil {
		return nil, l.unread(err)
	}
	return d, nil
}

// Open opens the process that was chosen, and no other that has its id by now.
func (l *Reader) Open(ctx context.Context) (*hotspot.Process, error) {
	if l.opened != nil {
		return l.opened, nil
	}
	if foreign := attach.ForeignProc(l.Kernel); foreign != "" {
		return nil, &Error{Cause: foreign, Remedy: attach.ShareNamespace}
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
	l.opened = p
	return p, nil
}

// unread says which right is missing where that is the cause.
func (l *Reader) unread(err error) error {
	if !errors.Is(err, fs.ErrPermission) {
		return err
	}
	check := l.Right()
	return &Error{Cause: check.Detail, Remedy: check.Remedy, Err: err}
}

// MayRead reports whether the memory can be read, without reading threads.
func (l *Reader) MayRead(ctx context.Context) bool {
	_, err := l.Open(ctx)
	return err == nil
}
