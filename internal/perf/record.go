package perf

import (
	"bytes"
	"encoding/binary"
	"errors"
	"math/bits"
	"slices"
	"time"
)

// Sample is one moment of a thread.
type Sample struct {
	// PID and TID are the ids of the process and the thread in the pid namespace of the reader.
	PID, TID int
	// Time is in nanoseconds of the event's clock.
	Time uint64
	// Registers are those of the mask that was asked for, in the order of its bits. Empty: the thread has none.
	Registers []uint64
	// Stack is the memory from the stack pointer on. It may be shorter than what was asked for.
	Stack []byte
	// Kernel are addresses of the kernel's code, innermost first, of a thread that was in it.
	Kernel []uint64
}

// Name is what a thread was named.
type Name struct {
	TID  int
	Comm string
}

// Ended is a thread that has ended, and the time it ran on one CPU.
type Ended struct {
	TID int
	CPU time.Duration
}

// Batch is what a ring buffer held.
type Batch struct {
	Samples []Sample
	// Lost counts samples that the kernel dropped because the buffer was full.
	Lost uint64
	// Names are names that threads were given meanwhile, in order.
	Names []Name
	// Ended are threads that have ended, of those that sampled threads have started.
	Ended []Ended
}

// Kinds of records (linux/perf_event.h). The others are left out.
const (
	recordLost   = 2
	recordComm   = 3
	recordRead   = 8
	recordSample = 9

	headerSize = 8
	abi64      = 2 // PERF_SAMPLE_REGS_ABI_64
)

// errBroken is why a buffer is given up.
var errBroken = errors.New("a record of perf has an impossible length")

// form is what samples hold: the registers of a mask, and the kernel's calls.
type form struct {
	mask  uint64
	chain bool
	// stacks, if it is set, has the copies of stacks appended: samples share its memory.
	stacks *[]byte
}

// copied is a copy of a sample's stack.
func (f form) copied(stack []byte) []byte {
	if f.stacks == nil {
		return bytes.Clone(stack)
	}
	begin := len(*f.stacks)
	*f.stacks = append(*f.stacks, stack...)
	return slices.Clip((*f.stacks)[begin:])
}

// parse reads the records from tail to head of a ring buffer: both count bytes since its beginning, and data is
// what it holds. Each record begins with its kind, flags and size; it may go around the end of the buffer.
func parse(data []byte, tail, head uint64, of form) (Batch, error) {
	var b Batch
	size := uint64(len(data))
	if size == 0 || head-tail > size {
		return b, errBroken
	}
	for tail != head {
		if head-tail < headerSize {
			return b, errBroken
		}
		header := around(data, tail, headerSize)
		kind, length := binary.LittleEndian.Uint32(header), uint64(binary.LittleEndian.Uint16(header[6:]))
		if length < headerSize || length > head-tail {
			return b, errBroken
		}
		body := fields{bytes: around(data, tail+headerSize, length-headerSize)}
		switch kind {
		case recordSample:
			if s, ok := body.sample(of); ok {
				b.Samples = append(b.Samples, s)
			}
		case recordLost:
			body.word() // id of the event
			b.Lost += body.word()
		case recordRead:
			tid := int(body.word() >> 32)
			b.Ended = append(b.Ended, Ended{TID: tid, CPU: time.Duration(body.word())})
		case recordComm:
			tid := int(body.word() >> 32)
			comm, _, _ := bytes.Cut(body.bytes, []byte{0})
			b.Names = append(b.Names, Name{TID: tid, Comm: string(comm)})
		}
		tail += length
	}
	return b, nil
}

// around is a part of a ring buffer; one that goes around its end is a copy.
func around(data []byte, at, length uint64) []byte {
	rest := data[at%uint64(len(data)):]
	if length <= uint64(len(rest)) {
		return rest[:length]
	}
	part := make([]byte, length)
	n := copy(part, rest)
	copy(part[n:], data)
	return part
}

// fields are those of a record, read one after the other.
type fields struct {
	bytes []byte
	short bool
}

func (f *fields) word() uint64 {
	if len(f.bytes) < 8 {
		f.short = true
		return 0
	}
	n := binary.LittleEndian.Uint64(f.bytes)
	f.bytes = f.bytes[8:]
	return n
}

// sample is a record with sampled, the fields that an event asks for: ids, time, calls, registers, stack.
func (f *fields) sample(of form) (Sample, bool) {
	ids := f.word()
	s := Sample{PID: int(uint32(ids)), TID: int(ids >> 32), Time: f.word()}
	if of.chain {
		s.Kernel = f.calls()
	}
	switch f.word() {
	case abi64:
		for range bits.OnesCount64(of.mask) {
			s.Registers = append(s.Registers, f.word())
		}
	case 0: // a thread of the kernel
	default:
		return s, false
	}
	size := f.word()
	if size > uint64(len(f.bytes)) {
		return s, false
	}
	stack := f.bytes[:size]
	if f.bytes = f.bytes[size:]; size > 0 {
		used := f.word()
		if used > size {
			return s, false
		}
		s.Stack = of.copied(stack[:used]) // the kernel reserves room for size, and mostly fills a part of it
	}
	return s, !f.short
}

// calls are the addresses of a call chain, without the words that only say where they are from.
func (f *fields) calls() []uint64 {
	const lowestMark = 1<<64 - 4095 // PERF_CONTEXT_MAX
	var calls []uint64
	for n := f.word(); n > 0 && !f.short; n-- {
		if at := f.word(); at < lowestMark {
			calls = append(calls, at)
		}
	}
	return calls
}
