package perf

import (
	"encoding/binary"
	"errors"
	"slices"
	"testing"
	"time"
)

const twoRegisters = 1<<6 | 1<<8

// record is one as the kernel writes it.
func record(kind uint32, words ...uint64) []byte {
	b := binary.LittleEndian.AppendUint32(nil, kind)
	b = binary.LittleEndian.AppendUint16(b, 0)
	b = binary.LittleEndian.AppendUint16(b, uint16(headerSize+8*len(words)))
	for _, w := range words {
		b = binary.LittleEndian.AppendUint64(b, w)
	}
	return b
}

// sampleRecord: thread 8 of process 7 at 99 ns, two registers, 16 bytes of stack of which 8 are filled.
func sampleRecord() []byte {
	return record(recordSample, 8<<32|7, 99, abi64, 11, 12, 16, 21, 22, 8)
}

// ring puts bytes into a buffer of a size, from an offset on.
func ring(size, at int, bytes []byte) []byte {
	data := make([]byte, size)
	for i, c := range bytes {
		data[(at+i)%size] = c
	}
	return data
}

func TestParseReadsAcrossTheEndOfTheBuffer(t *testing.T) {
	text := slices.Concat(sampleRecord(), record(recordLost, 1, 5), record(3, 0), sampleRecord())
	for _, at := range []int{0, 8, 200, 256, 4096 * 3} {
		data := ring(256, at, text)
		b, err := parse(data, uint64(at), uint64(at+len(text)), form{mask: twoRegisters})
		if err != nil || len(b.Samples) != 2 || b.Lost != 5 {
			t.Fatalf("from %d: %+v, %v", at, b, err)
		}
		for _, s := range b.Samples {
			if s.PID != 7 || s.TID != 8 || s.Time != 99 || !slices.Equal(s.Registers, []uint64{11, 12}) ||
				len(s.Stack) != 8 || s.Stack[0] != 21 {
				t.Errorf("from %d: %+v", at, s)
			}
		}
	}
}

// TestParseKeepsStacksTogether: the stacks of a batch share memory, and none has that of another.
func TestParseKeepsStacksTogether(t *testing.T) {
	text := slices.Concat(sampleRecord(), sampleRecord(), sampleRecord())
	stacks := make([]byte, 0, 12) // too small for all
	b, err := parse(ring(512, 0, text), 0, uint64(len(text)), form{mask: twoRegisters, stacks: &stacks})
	if err != nil || len(b.Samples) != 3 || len(stacks) != 24 {
		t.Fatalf("%+v, %v, %d bytes", b, err, len(stacks))
	}
	for i, s := range b.Samples {
		if !slices.Equal(s.Stack, []byte{21, 0, 0, 0, 0, 0, 0, 0}) {
			t.Errorf("%d: %v", i, s.Stack)
		}
		_ = append(s.Stack, 99)
	}
	if slices.Contains(stacks, 99) {
		t.Error("a stack runs into the next one")
	}
}

// TestParseReadsTheKernelsCalls: the words that only say where the others are from are no calls.
func TestParseReadsTheKernelsCalls(t *testing.T) {
	const fromKernel = 1<<64 - 128 // PERF_CONTEXT_KERNEL
	called := record(recordSample, 8<<32|7, 99, 3, fromKernel, 0xffffffff81000010, 0xffffffff81000020,
		abi64, 11, 12, 16, 21, 22, 8)
	named := record(recordComm, 9<<32|7, uint64('n'), 0)
	ended := record(recordRead, 9<<32|7, 5000)
	text := slices.Concat(called, named, ended, record(recordSample, 8<<32|7, 99, 1<<40, 1, 2))
	b, err := parse(ring(512, 0, text), 0, uint64(len(text)), form{mask: twoRegisters, chain: true})
	if err != nil || len(b.Samples) != 1 || !slices.Equal(b.Names, []Name{{9, "n"}}) ||
		!slices.Equal(b.Ended, []Ended{{9, 5 * time.Microsecond}}) {
		t.Fatalf("%+v, %v", b, err)
	}
	s := b.Samples[0]
	if !slices.Equal(s.Kernel, []uint64{0xffffffff81000010, 0xffffffff81000020}) || len(s.Stack) != 8 {
		t.Errorf("%+v", s)
	}
}

func TestParseRefusesImpossibleLengths(t *testing.T) {
	good := sampleRecord()
	for name, broken := range map[string][]byte{
		"a record of no length":         record(recordSample)[:6],
		"a length below the header":     {9, 0, 0, 0, 0, 0, 7, 0},
		"a length beyond the end":       {9, 0, 0, 0, 0, 0, 255, 0},
		"half of a header after a good": append(slices.Clone(good), 9, 0, 0, 0),
	} {
		_, err := parse(ring(256, 0, broken), 0, uint64(len(broken)), form{mask: twoRegisters})
		if !errors.Is(err, errBroken) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := parse(make([]byte, 64), 0, 65, form{}); !errors.Is(err, errBroken) {
		t.Errorf("more than the buffer holds: %v", err)
	}
}

func TestParseLeavesOutBrokenSamples(t *testing.T) {
	for name, r := range map[string][]byte{
		"a stack longer than the record": record(recordSample, 7, 1, abi64, 1, 2, 1<<40, 0),
		"more used than copied":          record(recordSample, 7, 1, abi64, 1, 2, 8, 0, 9),
		"registers of 32 bits":           record(recordSample, 7, 1, 1, 1, 2, 0),
		"no registers at all":            record(recordSample, 7, 1, abi64),
	} {
		b, err := parse(ring(256, 0, r), 0, uint64(len(r)), form{mask: twoRegisters})
		if err != nil || len(b.Samples) != 0 {
			t.Errorf("%s: %+v, %v", name, b, err)
		}
	}
}

// FuzzParse: whatever a buffer holds, reading it ends without a panic, and no sample is larger than the buffer.
func FuzzParse(f *testing.F) {
	f.Add(sampleRecord(), uint64(0), uint64(80), uint64(twoRegisters))
	f.Add(record(recordLost, 1, 5), uint64(4), uint64(28), uint64(0))
	f.Fuzz(func(t *testing.T, data []byte, tail, head, mask uint64) {
		b, _ := parse(data, tail, head, form{mask: mask, chain: mask&1 != 0})
		for _, s := range b.Samples {
			if len(s.Stack) > len(data) || 8*len(s.Registers) > len(data) {
				t.Errorf("%d registers and %d bytes of stack from %d bytes", len(s.Registers), len(s.Stack), len(data))
			}
		}
	})
}
