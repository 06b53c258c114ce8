package perf

import (
	"context"
	"errors"
	"fmt"
	"os"
	"sync/atomic"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"
)

// Options are what an event takes.
type Options struct {
	// Registers is the mask of the user registers to sample, by the kernel's numbers (asm/perf_regs.h).
	Registers uint64
	// Stack is how much of the stack is copied, in bytes, a multiple of 8 below 64 kB.
	Stack uint32
	// Period is how long a thread runs between two samples. The kernel takes 10 µs at least.
	Period time.Duration
}

// Event samples one thread into its own ring buffer.
type Event struct {
	file    int
	mapping []byte
	mask    uint64
}

// sampled are the fields of a sample; [fields.sample] reads them in the kernel's order.
const sampled = unix.PERF_SAMPLE_TID | unix.PERF_SAMPLE_TIME |
	unix.PERF_SAMPLE_REGS_USER | unix.PERF_SAMPLE_STACK_USER

// Open makes an event for a thread, which takes nothing yet. Without the right to sample the error is
// fs.ErrPermission, as it is once too much memory is locked.
func Open(tid int, o Options) (*Event, error) {
	attr := &unix.PerfEventAttr{
		Type: unix.PERF_TYPE_SOFTWARE, Config: unix.PERF_COUNT_SW_TASK_CLOCK, Size: unix.PERF_ATTR_SIZE_VER5,
		Sample: uint64(o.Period.Nanoseconds()), Sample_type: sampled, Wakeup: 1,
		Bits:             unix.PerfBitDisabled | unix.PerfBitExcludeKernel | unix.PerfBitExcludeHv,
		Sample_regs_user: o.Registers, Sample_stack_user: o.Stack,
	}
	file, err := unix.PerfEventOpen(attr, tid, -1, -1, unix.PERF_FLAG_FD_CLOEXEC)
	if err != nil {
		return nil, fmt.Errorf("perf_event_open: %w", err)
	}
	e := &Event{file: file, mask: o.Registers}
	size := os.Getpagesize() + ringSize(int(o.Stack))
	if e.mapping, err = unix.Mmap(file, 0, size, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_SHARED); err != nil {
		e.Close()
		return nil, fmt.Errorf("map the buffer of perf: %w", err)
	}
	return e, nil
}

// ringSize is room for one sample at least: a power of two of pages.
func ringSize(stack int) int {
	size := os.Getpagesize()
	for size < stack+1024 {
		size *= 2
	}
	return size
}

// Close ends the event.
func (e *Event) Close() {
	if e.mapping != nil {
		_ = unix.Munmap(e.mapping)
	}
	_ = unix.Close(e.file)
}

// Once lets the event take one more sample and then stop.
func (e *Event) Once() error {
	return unix.IoctlSetInt(e.file, unix.PERF_EVENT_IOC_REFRESH, 1)
}

// Read takes what the buffer holds.
func (e *Event) Read() (Batch, error) {
	page := (*unix.PerfEventMmapPage)(unsafe.Pointer(&e.mapping[0]))
	head := atomic.LoadUint64(&page.Data_head)
	batch, err := parse(e.mapping[os.Getpagesize():], atomic.LoadUint64(&page.Data_tail), head, form{mask: e.mask})
	atomic.StoreUint64(&page.Data_tail, head)
	return batch, err
}

// Wait waits until one of the events has a sample, at most so long, and not longer than ctx lasts.
func Wait(ctx context.Context, events []*Event, most time.Duration) error {
	const turn = 5 * time.Millisecond
	return wait(ctx, events, most, turn)
}

// wait is Wait that sees the end of ctx so late, in turns.
func wait(ctx context.Context, events []*Event, most, turn time.Duration) error {
	polled := make([]unix.PollFd, len(events))
	for i, e := range events {
		polled[i] = unix.PollFd{Fd: int32(e.file), Events: unix.POLLIN}
	}
	for end := time.Now().Add(most); ctx.Err() == nil; {
		left := min(time.Until(end), turn)
		if left <= 0 {
			return nil
		}
		n, err := unix.Poll(polled, max(1, int(left.Milliseconds())))
		if n > 0 || err != nil && !errors.Is(err, unix.EINTR) {
			return err
		}
	}
	return ctx.Err()
}
