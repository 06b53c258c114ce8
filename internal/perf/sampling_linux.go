package perf

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"
)

// Sampling samples threads, and those that they start, for as long as it is open. All that run on a CPU share a ring
// buffer.
type Sampling struct {
	options Options
	cpus    []int
	rings   []*buffer
	threads map[int]bool
	events  []int
	// kernel reports that the kernel's own code is sampled too.
	kernel bool
	full   bool
	// stacks is the memory of the stacks of the last batch.
	stacks []byte
}

// buffer is the ring buffer of one CPU, held by an event that samples nothing.
type buffer struct {
	file    int
	mapping []byte
}

const (
	// largestRing is room for 60 samples with 32 kB of stack each, smallestRing for one. The kernel lets a user without
	// CAP_IPC_LOCK lock half a megabyte for each CPU in memory (kernel.perf_event_mlock_kb).
	largestRing  = 1 << 21
	smallestRing = 1 << 16
	// mostEvents bounds the file descriptors: one for each thread on each CPU.
	mostEvents = 20_000
)

// OpenSampling makes buffers. It samples nothing before [Sampling.Add]. Without the right the error is
// fs.ErrPermission.
func OpenSampling(o Options) (*Sampling, error) {
	cpus, err := onlineCPUs()
	if err != nil {
		return nil, err
	}
	s := &Sampling{options: o, threads: map[int]bool{}, kernel: true}
	for size := largestRing; ; size /= 2 {
		if err = s.openRings(cpus, size); err == nil {
			return s, nil
		}
		s.closeRings()
		if size <= smallestRing || !errors.Is(err, fs.ErrPermission) && !errors.Is(err, unix.ENOMEM) {
			return nil, err
		}
	}
}

func (s *Sampling) openRings(cpus []int, size int) error {
	attr := &unix.PerfEventAttr{
		Type: unix.PERF_TYPE_SOFTWARE, Config: unix.PERF_COUNT_SW_DUMMY, Size: unix.PERF_ATTR_SIZE_VER5,
		Bits:   unix.PerfBitExcludeKernel | unix.PerfBitExcludeHv | unix.PerfBitWatermark | unix.PerfBitUseClockID,
		Wakeup: uint32(size / 2), Clockid: unix.CLOCK_MONOTONIC,
		Sample: 1, Sample_type: unix.PERF_SAMPLE_TID,
	}
	for _, cpu := range cpus {
		file, err := unix.PerfEventOpen(attr, os.Getpid(), cpu, -1, unix.PERF_FLAG_FD_CLOEXEC)
		if err != nil {
			return fmt.Errorf("perf_event_open: %w", err)
		}
		r := &buffer{file: file}
		s.rings, s.cpus = append(s.rings, r), append(s.cpus, cpu)
		const access = unix.PROT_READ | unix.PROT_WRITE
		if r.mapping, err = unix.Mmap(file, 0, os.Getpagesize()+size, access, unix.MAP_SHARED); err != nil {
			return fmt.Errorf("map the buffer of perf: %w", err)
		}
	}
	return nil
}

// Kernel reports whether samples of the kernel's own code are taken: without CAP_PERFMON that needs
// kernel.perf_event_paranoid 1 or lower.
func (s *Sampling) Kernel() bool { return s.kernel }

// Full reports that a thread was not added as there are too many.
func (s *Sampling) Full() bool { return s.full }

// Has reports whether a thread was added.
func (s *Sampling) Has(tid int) bool { return s.threads[tid] }

// Now is the time of the samples' clock, in nanoseconds.
func (s *Sampling) Now() uint64 {
	var now unix.Timespec
	_ = unix.ClockGettime(unix.CLOCK_MONOTONIC, &now)
	return uint64(now.Nano())
}

// Add samples a thread from now on, and all threads that it starts. A thread that has ended is no error.
func (s *Sampling) Add(tid int) error {
	if s.threads[tid] {
		return nil
	}
	if len(s.events)+len(s.cpus) > mostEvents {
		s.full = true
		return nil
	}
	for i, cpu := range s.cpus {
		file, err := s.open(tid, cpu)
		switch {
		case errors.Is(err, unix.ESRCH):
			return nil
		case errors.Is(err, unix.EMFILE):
			s.full = true
			return nil
		case err != nil:
			return fmt.Errorf("perf_event_open: %w", err)
		}
		s.events = append(s.events, file)
		if err := unix.IoctlSetInt(file, unix.PERF_EVENT_IOC_SET_OUTPUT, s.rings[i].file); err != nil {
			return fmt.Errorf("share the buffer of perf: %w", err)
		}
		if err := unix.IoctlSetInt(file, unix.PERF_EVENT_IOC_ENABLE, 0); err != nil {
			return fmt.Errorf("start an event of perf: %w", err)
		}
	}
	s.threads[tid] = true
	return nil
}

func (s *Sampling) open(tid, cpu int) (int, error) {
	for {
		attr := &unix.PerfEventAttr{
			Type: unix.PERF_TYPE_SOFTWARE, Config: unix.PERF_COUNT_SW_TASK_CLOCK, Size: unix.PERF_ATTR_SIZE_VER5,
			Sample: uint64(s.options.Period.Nanoseconds()), Sample_type: sampled | unix.PERF_SAMPLE_CALLCHAIN,
			Bits: unix.PerfBitDisabled | unix.PerfBitExcludeHv | unix.PerfBitInherit | unix.PerfBitComm |
				unix.PerfBitExcludeCallchainUser | unix.PerfBitWatermark | unix.PerfBitInheritStat |
				unix.PerfBitUseClockID,
			Wakeup: largestRing / 2, Clockid: unix.CLOCK_MONOTONIC,
			Sample_regs_user: s.options.Registers, Sample_stack_user: s.options.Stack,
		}
		if !s.kernel {
			attr.Bits |= unix.PerfBitExcludeKernel | unix.PerfBitExcludeCallchainKernel
		}
		file, err := unix.PerfEventOpen(attr, tid, cpu, -1, unix.PERF_FLAG_FD_CLOEXEC)
		if errors.Is(err, fs.ErrPermission) && s.kernel {
			s.kernel = false
			continue
		}
		return file, err
	}
}

// MaySample reports whether a thread may be sampled, and whether with the kernel's own code. It samples nothing.
// Without the right the error is fs.ErrPermission.
func MaySample(tid int) (kernel bool, err error) {
	const anyCPU = -1
	s := &Sampling{kernel: true, options: Options{Registers: 1, Period: time.Second}}
	file, err := s.open(tid, anyCPU)
	if err != nil {
		return false, fmt.Errorf("perf_event_open: %w", err)
	}
	return s.kernel, unix.Close(file)
}

// Read takes what the buffers hold. The stacks of the samples last until the next call.
func (s *Sampling) Read() (Batch, error) {
	var all Batch
	s.stacks = s.stacks[:0]
	for _, r := range s.rings {
		page := (*unix.PerfEventMmapPage)(unsafe.Pointer(&r.mapping[0]))
		head := atomic.LoadUint64(&page.Data_head)
		form := form{mask: s.options.Registers, chain: true, stacks: &s.stacks}
		batch, err := parse(r.mapping[os.Getpagesize():], atomic.LoadUint64(&page.Data_tail), head, form)
		atomic.StoreUint64(&page.Data_tail, head)
		if err != nil {
			return all, err
		}
		all.Samples = append(all.Samples, batch.Samples...)
		all.Lost += batch.Lost
		all.Names = append(all.Names, batch.Names...)
		all.Ended = append(all.Ended, batch.Ended...)
	}
	return all, nil
}

// Wait waits until a buffer is half full, at most so long.
func (s *Sampling) Wait(ctx context.Context, most time.Duration) error {
	events := make([]*Event, len(s.rings))
	for i, r := range s.rings {
		events[i] = &Event{file: r.file}
	}
	const turn = 100 * time.Millisecond // it takes CPU time that the target may want to wake up more often
	return wait(ctx, events, most, turn)
}

// Close ends it.
func (s *Sampling) Close() {
	for _, file := range s.events {
		_ = unix.Close(file)
	}
	s.events = nil
	s.closeRings()
}

func (s *Sampling) closeRings() {
	for _, r := range s.rings {
		if r.mapping != nil {
			_ = unix.Munmap(r.mapping)
		}
		_ = unix.Close(r.file)
	}
	s.rings, s.cpus = nil, nil
}

// onlineCPUs reads the list of the kernel: "0-3,8".
func onlineCPUs() ([]int, error) {
	text, err := os.ReadFile("/sys/devices/system/cpu/online")
	if err != nil {
		return nil, err
	}
	return parseCPUs(strings.TrimSpace(string(text)))
}

func parseCPUs(list string) ([]int, error) {
	const most = 1 << 16
	var cpus []int
	for part := range strings.SplitSeq(list, ",") {
		low, high, isRange := strings.Cut(part, "-")
		if !isRange {
			high = low
		}
		first, err := strconv.Atoi(low)
		last, errLast := strconv.Atoi(high)
		if err = errors.Join(err, errLast); err != nil || last < first || last >= most {
			return nil, fmt.Errorf("list of CPUs %q: %w", list, errors.Join(err, strconv.ErrRange))
		}
		for cpu := first; cpu <= last; cpu++ {
			cpus = append(cpus, cpu)
		}
	}
	slices.Sort(cpus)
	return cpus, nil
}
