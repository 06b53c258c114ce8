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

// Error says why the memory of a JVM was not read, and what would allow it.
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

// Reader reads the memory of a running JVM.
type Reader struct {
	*target.JVM
	// Timeout bounds one reading; 0 and less: [attach.DefaultTimeout].
	Timeout time.Duration

	// opened is the opened process, nil before.
	opened *hotspot.Process
	// failed is why it could not be read after a dump, nil if it could: it is not tried again.
	failed error
	// progress counts the virtual threads that were read.
	progress atomic.Int64
}

// Untested names the processor if reading is not tested on it. It is empty otherwise and before the first reading.
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

// Dump reads a thread dump from the target's memory.
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
	return &Error{Cause: fmt.Sprintf("reading its memory took longer than %v", limit), Remedy: "increase --timeout"}
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

// Open opens the chosen process. It refuses another process that has its id by now.
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

// unread adds the missing right to an error that such a right has caused.
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
