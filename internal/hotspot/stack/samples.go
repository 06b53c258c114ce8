package stack

import (
	"debug/elf"
	"encoding/binary"
	"errors"
	"slices"

	"github.com/jstall/jstall/internal/hotspot/vm"
	"github.com/jstall/jstall/internal/unwind"
)

// SampledFrame is one frame of a sample.
type SampledFrame struct {
	// Text is a Java frame as dumps have it, without "at ", or the name of a native function: "libc.so.6!read",
	// "[kernel]!ksys_read".
	Text string
	Java bool
}

// SampledStack is the stack of a thread that ran, at the moment of a sample.
type SampledStack struct {
	// Frames are in the order from the innermost one.
	Frames []SampledFrame
	// Cut is why the outer frames are missing; empty if none are.
	Cut string
	// Uses is where methods and code were read.
	Uses []*Source
}

// frameInHeap stands for frames of a virtual thread that are not on the stack: it has not come back to them since it
// last waited.
const frameInHeap = "[frames in the heap]"

// mostNative bounds the native frames of a stack.
const mostNative = 256

// NativeRegisters are DWARF's numbers of the registers that have a part in calls, and the kernel's number in samples
// for each of DWARF's (asm/perf_regs.h).
var NativeRegisters = map[elf.Machine]struct {
	Numbers unwind.Numbers
	Sampled []int
}{
	elf.EM_X86_64:  {unwind.X86, []int{0, 3, 2, 1, 4, 5, 6, 7, 16, 17, 18, 19, 20, 21, 22, 23, 8}},
	elf.EM_AARCH64: {unwind.ARM, upTo(33)},
}

func upTo(n int) []int {
	numbers := make([]int, n)
	for i := range numbers {
		numbers[i] = i
	}
	return numbers
}

// SampleMask is the set of the registers that are sampled.
func SampleMask(machine elf.Machine) uint64 {
	var mask uint64
	for _, number := range NativeRegisters[machine].Sampled {
		mask |= 1 << number
	}
	return mask
}

// SampleWalk walks over the stack of one sample.
type SampleWalk struct {
	Reader  *Reader
	Modules *unwind.Modules
	Symbols func(path string) unwind.Symbols
	Numbers unwind.Numbers
	// Entry is the ContinuationEntry of a thread that carries a virtual one, 0 if it carries none.
	Entry uint64
	Stack SampledStack
}

// WalkSample reads the stack from registers, of a thread whose stack ends at high, which is at least as much as was
// copied.
func (s *SampleWalk) WalkSample(registers unwind.Registers, copied []byte, high uint64) SampledStack {
	sp, _ := registers.Get(s.Numbers.SP)
	s.Reader.Windows[1] = vm.Window{Lo: sp, Hi: max(high, sp+uint64(len(copied))), Bytes: copied, Fixed: true}
	defer func() { s.Reader.Windows[1] = vm.Window{} }()
	for innermost := true; ; innermost = false {
		pc, _ := registers.Get(s.Numbers.PC)
		pc &= s.Reader.Processor.CodeAddress
		if s.Reader.Code.has(pc) {
			s.java(registers, pc, innermost)
			break
		}
		if !s.native(&registers, pc, innermost) {
			break
		}
	}
	if s.Stack.Cut != "" && len(copied) > 0 && s.Reader.Windows[1].Beyond {
		s.Stack.Cut = "its stack is larger than what is copied of it"
	}
	return s.Stack
}

// native adds a native function and takes the registers of its caller.
func (s *SampleWalk) native(registers *unwind.Registers, pc uint64, innermost bool) bool {
	in := pc
	if !innermost && in > 0 {
		in--
	}
	name := s.Modules.Function(in, s.Symbols)
	if name == "" {
		s.Stack.Cut = "it runs code that is of no file"
		return false
	}
	s.Stack.Frames = append(s.Stack.Frames, SampledFrame{Text: name})
	if len(s.Stack.Frames) > mostNative {
		s.Stack.Cut = "it has too many native frames"
		return false
	}
	registers.Set(s.Numbers.PC, pc)
	caller, err := s.Modules.Step(registers, s.Numbers, innermost, s.word)
	if err != nil && innermost && !errors.Is(err, unwind.ErrOutermost) && s.leaf(registers) {
		return true
	}
	if err != nil {
		if !errors.Is(err, unwind.ErrOutermost) {
			s.Stack.Cut = "the caller of " + name + " is not known"
		}
		return false
	}
	*registers = caller
	return true
}

// leaf takes the caller of a function that nothing describes, and that has called none: those written in assembler.
// On x86-64 its return address is on top of the stack.
func (s *SampleWalk) leaf(registers *unwind.Registers) bool {
	if s.Reader.Machine != elf.EM_X86_64 {
		return false
	}
	sp, _ := registers.Get(s.Numbers.SP)
	pc, ok := s.word(sp)
	if !ok || !s.Reader.Code.has(pc) && s.Modules.Function(pc, s.Symbols) == "" {
		return false
	}
	registers.Set(s.Numbers.PC, pc)
	registers.Set(s.Numbers.SP, sp+vm.WordSize)
	return true
}

// word reads a word of the stack as it was copied.
func (s *SampleWalk) word(at uint64) (uint64, bool) {
	w := &s.Reader.Windows[1]
	if at < w.Lo || at-w.Lo > uint64(len(w.Bytes)) || uint64(len(w.Bytes))-(at-w.Lo) < vm.WordSize {
		w.Beyond = true
		return 0, false
	}
	return binary.LittleEndian.Uint64(w.Bytes[at-w.Lo:]), true
}

// java adds the frames of Java code, and of all Java code that called it.
func (s *SampleWalk) java(registers unwind.Registers, pc uint64, innermost bool) {
	number := s.Reader.Processor.sampled
	get := func(of int) uint64 {
		value, _ := registers.Get(slices.Index(NativeRegisters[s.Reader.Machine].Sampled, of))
		return value
	}
	at := Snapshot{PC: pc, SP: get(number.sp), FP: get(number.fp), BCP: get(number.bcp)}
	w := &Walk{Reader: s.Reader, Low: at.SP, High: s.Reader.Windows[1].Hi, Sampled: true, Entry: s.Entry}
	if innermost {
		w.RunFrom(at)
	} else {
		w.runFromCall(Cursor{SP: at.SP, FP: at.FP, PC: at.PC}, at.BCP)
	}
	for i, f := range w.Frames {
		if w.InHeap > 0 && i == w.InHeap {
			s.Stack.Frames = append(s.Stack.Frames, SampledFrame{Text: frameInHeap})
		}
		s.Stack.Frames = append(s.Stack.Frames, SampledFrame{Text: s.Reader.Frame(f.Method, f.BCI), Java: true})
	}
	if s.Stack.Uses = w.Uses; w.Cut != framesInHeap {
		s.Stack.Cut = w.Cut
	}
}
