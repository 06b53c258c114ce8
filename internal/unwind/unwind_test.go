package unwind

import (
	"encoding/binary"
	"errors"
	"strings"
	"testing"
)

// bytesAt is memory that holds some bytes from an address on.
type bytesAt struct {
	at    uint64
	bytes []byte
}

func (m bytesAt) ReadAt(addr uint64, buf []byte) error {
	if addr < m.at || addr-m.at > uint64(len(m.bytes)) || uint64(len(m.bytes))-(addr-m.at) < uint64(len(buf)) {
		return errors.New("not mapped")
	}
	copy(buf, m.bytes[addr-m.at:])
	return nil
}

// frameInfo is an entry for 100 bytes of code from 0x2000 on, at 0x1018, behind what it shares: CFA = rsp + 8, the
// return address below it; after 4 bytes rbp is pushed.
func frameInfo(program ...byte) bytesAt {
	common := []byte{20, 0, 0, 0, 0, 0, 0, 0, 1, 'z', 'R', 0, 1, 0x78, 16, 1, 0x03, 0x0c, 7, 8, 0x90, 1, 0, 0}
	entry := []byte{byte(13 + len(program)), 0, 0, 0, byte(len(common) + 4), 0, 0, 0}
	entry = binary.LittleEndian.AppendUint32(entry, 0x2000)
	entry = binary.LittleEndian.AppendUint32(entry, 100)
	entry = append(append(entry, 0), program...)
	return bytesAt{0x1000, append(common, entry...)}
}

func TestRulesOfAFunction(t *testing.T) {
	memory := frameInfo(cfaAdvance|4, 0x0e, 16, cfaOffset|6, 2)
	d, ok := describe(memory, 0x1018)
	if !ok || d.begin != 0x2000 || d.end != 0x2064 {
		t.Fatalf("%+v, %v", d, ok)
	}
	stack := map[uint64]uint64{0x9008: 0xaaa, 0x9000: 0xbbb}
	read := func(at uint64) (uint64, bool) { v, ok := stack[at]; return v, ok }
	for pc, sp := range map[uint64]uint64{0x2000: 0x9008, 0x2003: 0x9008, 0x2004: 0x9000, 0x2060: 0x9000} {
		found, ok := rulesAt(d, pc)
		if !ok {
			t.Fatalf("%#x: no rules", pc)
		}
		var r Registers
		r.Set(X86.SP, sp)
		r.Set(X86.FP, 0x111)
		caller, ok := found.apply(&r, X86, read)
		gotPC, _ := caller.Get(X86.PC)
		gotSP, _ := caller.Get(X86.SP)
		gotFP, _ := caller.Get(X86.FP)
		wantFP := uint64(0x111)
		if pc >= 0x2004 {
			wantFP = 0xbbb
		}
		if !ok || gotPC != 0xaaa || gotSP != 0x9010 || gotFP != wantFP {
			t.Errorf("%#x: pc %#x, sp %#x, fp %#x, %v", pc, gotPC, gotSP, gotFP, ok)
		}
	}
}

// TestExpressions: those of a stub of the PLT, whose frame depends on its address, and what has no meaning.
func TestExpressions(t *testing.T) {
	plt := []byte{opBreg0 + 7, 8, opBreg0 + 16, 0, opLit0 + 15, opAnd, opLit0 + 11, opGe, opLit0 + 3, opShl, opPlus}
	none := func(uint64) (uint64, bool) { return 0, false }
	for pc, want := range map[uint64]uint64{0x1000: 0x9008, 0x100b: 0x9010} {
		var r Registers
		r.Set(7, 0x9000)
		r.Set(16, pc)
		if got, ok := evaluate(plt, &r, none); !ok || got != want {
			t.Errorf("%#x: %#x, %v", pc, got, ok)
		}
	}
	for _, text := range []string{"", "\x1a", "\x70\x00", "\xff", "\x06", "\x0a\x01", strings.Repeat("\x31", 100)} {
		if got, ok := evaluate([]byte(text), &Registers{}, none); ok {
			t.Errorf("%q: %#x", text, got)
		}
	}
}

func TestKernelSymbols(t *testing.T) {
	text := "ffffffff81000000 T _text\nffffffff81000000 T _stext\n" +
		"ffffffff81000010 t do_read\tmodule\nffffffff81000020 D data\nbad line\n"
	k := ReadKernelSymbols(strings.NewReader(text))
	for at, want := range map[uint64]string{
		0xffffffff81000018: "[kernel]!do_read", 0xffffffff81000001: "[kernel]!_stext", 5: "[kernel]",
	} {
		if got := k.Function(at); got != want {
			t.Errorf("%#x: %s", at, got)
		}
	}
	hidden := ReadKernelSymbols(strings.NewReader("0000000000000000 T _text\n"))
	if got := hidden.Function(0xffffffff81000018); got != "[kernel]" {
		t.Error(got)
	}
}

// FuzzStep: whatever a process has in its memory, a step ends, without a panic.
func FuzzStep(f *testing.F) {
	f.Add(frameInfo(cfaAdvance|4, 0x0e, 16, cfaOffset|6, 2).bytes, uint64(0x2004))
	f.Add([]byte("\x7fELF\x02"), uint64(0x1004))
	f.Add(fakeLibrary(), uint64(0x1004))
	f.Fuzz(func(t *testing.T, text []byte, pc uint64) {
		memory := bytesAt{0x1000, text}
		m := NewModules(memory, []Mapping{{Start: 0x1000, End: 0x1000 + uint64(len(text)), File: "/lib"}})
		read := func(at uint64) (uint64, bool) { return at * 3, at%2 == 0 }
		var r Registers
		r.Set(X86.PC, pc)
		r.Set(X86.SP, 0x9000)
		for range 3 {
			next, err := m.Step(&r, X86, true, read)
			if err != nil {
				break
			}
			r = next
		}
		_ = m.Function(pc, func(string) Symbols { return symbolsOf(text) })
		if d, ok := describe(memory, 0x1018); ok {
			if found, ok := rulesAt(d, pc); ok {
				_, _ = found.apply(&r, X86, read)
			}
		}
	})
}
