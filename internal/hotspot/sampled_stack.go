package hotspot

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
	// Frames stand innermost first.
	Frames []SampledFrame
	// Cut is why the outer frames are missing; empty if none are.
	Cut string
	// uses is where methods and code were read.
	uses []*source
}

// FrameInHeap stands for frames of a virtual thread that are not on the stack: it has not come back to them since it
// last waited.
const FrameInHeap = "[frames in the heap]"

// mostNative bounds the native frames of a stack.
const mostNative = 256

// nativeRegisters are DWARF's numbers of the registers that have a part in calls, and the kernel's number in samples
// for each of DWARF's (asm/perf_regs.h).
var nativeRegisters = map[elf.Machine]struct {
	numbers unwind.Numbers
	sampled []int
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

// sampleMask is the set of the registers that are sampled.
func sampleMask(machine elf.Machine) uint64 {
	var mask uint64
	for _, number := range nativeRegisters[machine].sampled {
		mask |= 1 << number
	}
	return mask
}

// sampleWalk walks over the stack of one sample.
type sampleWalk struct {
	r       *codeReader
	modules *unwind.Modules
	symbols func(path string) unwind.Symbols
	numbers unwind.Numbers
	// entry is the ContinuationEntry of a thread that carries a virtual one, 0 if it carries none.
	entry uint64
	stack SampledStack
}

// walkSample reads the stack from registers, of a thread whose stack ends at high, which is at least as much as was
// copied.
func (s *sampleWalk) walkSample(registers unwind.Registers, copied []byte, high uint64) SampledStack {
	sp, _ := registers.Get(s.numbers.SP)
	s.r.Windows[1] = vm.Window{Lo: sp, Hi: max(high, sp+uint64(len(copied))), Bytes: copied, Fixed: true}
	defer func() { s.r.Windows[1] = vm.Window{} }()
	for innermost := true; ; innermost = false {
		pc, _ := registers.Get(s.numbers.PC)
		pc &= s.r.processor.codeAddress
		if s.r.code.has(pc) {
			s.java(registers, pc, innermost)
			break
		}
		if !s.native(&registers, pc, innermost) {
			break
		}
	}
	if s.stack.Cut != "" && len(copied) > 0 && s.r.Windows[1].Beyond {
		s.stack.Cut = "its stack is larger than what is copied of it"
	}
	return s.stack
}

// native adds a native function and takes the registers of its caller.
func (s *sampleWalk) native(registers *unwind.Registers, pc uint64, innermost bool) bool {
	in := pc
	if !innermost && in > 0 {
		in--
	}
	name := s.modules.Function(in, s.symbols)
	if name == "" {
		s.stack.Cut = "it runs code that is of no file"
		return false
	}
	s.stack.Frames = append(s.stack.Frames, SampledFrame{Text: name})
	if len(s.stack.Frames) > mostNative {
		s.stack.Cut = "it has too many native frames"
		return false
	}
	registers.Set(s.numbers.PC, pc)
	caller, err := s.modules.Step(registers, s.numbers, innermost, s.word)
	if err != nil && innermost && !errors.Is(err, unwind.ErrOutermost) && s.leaf(registers) {
		return true
	}
	if err != nil {
		if !errors.Is(err, unwind.ErrOutermost) {
			s.stack.Cut = "the caller of " + name + " is not known"
		}
		return false
	}
	*registers = caller
	return true
}

// leaf takes the caller of a function that nothing describes, and that has called none: those written in assembler.
// On x86-64 its return address is on top of the stack.
func (s *sampleWalk) leaf(registers *unwind.Registers) bool {
	if s.r.Machine != elf.EM_X86_64 {
		return false
	}
	sp, _ := registers.Get(s.numbers.SP)
	pc, ok := s.word(sp)
	if !ok || !s.r.code.has(pc) && s.modules.Function(pc, s.symbols) == "" {
		return false
	}
	registers.Set(s.numbers.PC, pc)
	registers.Set(s.numbers.SP, sp+vm.WordSize)
	return true
}

// word reads a word of the stack as it was copied.
func (s *sampleWalk) word(at uint64) (uint64, bool) {
	w := &s.r.Windows[1]
	if at < w.Lo || at-w.Lo > uint64(len(w.Bytes)) || uint64(len(w.Bytes))-(at-w.Lo) < vm.WordSize {
		w.Beyond = true
		return 0, false
	}
	return binary.LittleEndian.Uint64(w.Bytes[at-w.Lo:]), true
}

// java adds the frames of Java code, and of all Java code that called it.
func (s *sampleWalk) java(registers unwind.Registers, pc uint64, innermost bool) {
	number := s.r.processor.sampled
	get := func(of int) uint64 {
		value, _ := registers.Get(slices.Index(nativeRegisters[s.r.Machine].sampled, of))
		return value
	}
	at := Snapshot{PC: pc, SP: get(number.sp), FP: get(number.fp), BCP: get(number.bcp)}
	w := &walk{codeReader: s.r, low: at.SP, high: s.r.Windows[1].Hi, sampled: true, entry: s.entry}
	if innermost {
		w.runFrom(at)
	} else {
		w.runFromCall(cursor{sp: at.SP, fp: at.FP, pc: at.PC}, at.BCP)
	}
	for i, f := range w.frames {
		if w.inHeap > 0 && i == w.inHeap {
			s.stack.Frames = append(s.stack.Frames, SampledFrame{Text: FrameInHeap})
		}
		s.stack.Frames = append(s.stack.Frames, SampledFrame{Text: s.r.frame(f.method, f.bci), Java: true})
	}
	if s.stack.uses = w.uses; w.cut != framesInHeap {
		s.stack.Cut = w.cut
	}
}
