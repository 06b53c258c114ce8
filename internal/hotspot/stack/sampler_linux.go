package stack

import (
	"context"
	"debug/elf"
	"errors"
	"math/bits"
	"time"

	"github.com/jstall/jstall/internal/perf"
)

const (
	// copied is how much of a stack is copied with its registers, in bytes.
	copied = 32 << 10
	// untilSample is how long a thread runs until it is sampled.
	untilSample = 50 * time.Microsecond
	// mostWait is how long samples are waited for: a thread that wants a CPU gets one within some
	// turns of the scheduler, of 3 ms each.
	mostWait = 30 * time.Millisecond
	// mostSampled bounds how many threads are sampled at a time, each with a buffer of 68 kB.
	mostSampled = 64
)

// sampler samples threads by perf events.
type sampler struct {
	numbers registerNumbers
}

// NewSampler samples threads of a process on this machine.
func NewSampler(machine elf.Machine) *sampler { return &sampler{frameLayouts[machine](0).sampled} }

// Sample waits until each thread has run.
func (s *sampler) Sample(ctx context.Context, tids []int) (map[int]Snapshot, error) {
	tids = tids[:min(len(tids), mostSampled)]
	options := perf.Options{Registers: s.numbers.mask(), Stack: copied, Period: untilSample}
	events := map[int]*perf.Event{}
	defer func() {
		for _, e := range events {
			e.Close()
		}
	}()
	var failed error
	for _, tid := range tids {
		e, err := perf.Open(tid, options)
		if err != nil { // it has ended, or no more memory may be locked
			failed = err
			continue
		}
		events[tid] = e
		failed = errors.Join(failed, e.Once())
	}
	if len(events) == 0 {
		return nil, failed
	}
	return s.collect(ctx, events)
}

// collect waits for one sample of each event.
func (s *sampler) collect(ctx context.Context, events map[int]*perf.Event) (map[int]Snapshot, error) {
	snapshots := map[int]Snapshot{}
	for end := time.Now().Add(mostWait); len(snapshots) < len(events) && time.Now().Before(end); {
		var waiting []*perf.Event
		for tid, e := range events {
			if _, ok := snapshots[tid]; !ok {
				waiting = append(waiting, e)
			}
		}
		if err := perf.Wait(ctx, waiting, time.Until(end)); ctx.Err() != nil {
			break
		} else if err != nil {
			return nil, err
		}
		for tid, e := range events {
			batch, err := e.Read()
			if err != nil {
				return nil, err
			}
			for _, sample := range batch.Samples {
				if sample.TID == tid && len(sample.Registers) == bits.OnesCount64(s.numbers.mask()) {
					snapshots[tid] = s.snapshot(sample)
				}
			}
		}
	}
	return snapshots, nil
}

// snapshot names the registers of a sample.
func (s *sampler) snapshot(sample perf.Sample) Snapshot {
	at := func(number int) uint64 {
		return sample.Registers[bits.OnesCount64(s.numbers.mask()&(1<<number-1))]
	}
	n := s.numbers
	return Snapshot{
		PC: at(n.pc), SP: at(n.sp), FP: at(n.fp), BCP: at(n.bcp), Thread: at(n.thread), Stack: sample.Stack,
	}
}
