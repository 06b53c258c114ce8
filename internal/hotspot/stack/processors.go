package stack

import "debug/elf"

// frameLayout is what differs between processors: where an interpreted frame keeps what, in words
// from fp, and the number that compiled code's tables give to the register fp.
//
//	cpu/x86/frame_x86.hpp, cpu/aarch64/frame_aarch64.hpp, vmreg_x86.hpp, vmreg_aarch64.hpp
//
// Both agree in the rest: at fp is the caller's fp, then the return address; a compiled frame has
// the return address in its highest word and the caller's fp below it.
type frameLayout struct {
	SenderSP, LastSP, Method, Locals, BCP int64
	// monitors is the word with the end of the monitors. They begin below it and grow down.
	monitors int64
	// fpRegister is VMReg::value of fp: two slots for each register.
	fpRegister int64
	// CodeAddress are the bits of a return address that are an address: aarch64 may sign the others.
	CodeAddress uint64
	// sampled and saved are where registers are: in samples of perf, and in NT_PRSTATUS.
	sampled, saved registerNumbers
	// returns finds the return address of the innermost compiled frame.
	returns func(ahead []byte, frame uint64, complete bool) (returnSlot, bool)
	// callTarget is what the call before a return address calls, 0 if the call does not tell.
	callTarget func(before []byte, at uint64) (target uint64, isCall bool)
}

// frameLayouts are those of each processor, by the feature release. aarch64 was written after its
// sources and not tried.
var frameLayouts = map[elf.Machine]func(major int) frameLayout{
	elf.EM_X86_64:  x86Frame,
	elf.EM_AARCH64: aarch64Frame,
}

// x86Frame: 9 and newer have the class of the method (mirror) between method and mdp.
func x86Frame(major int) frameLayout {
	f := frameLayout{
		SenderSP: -1, LastSP: -2, Method: -3, Locals: -7, BCP: -8, monitors: -9,
		fpRegister: 2 * 5, CodeAddress: 1<<64 - 1,
		sampled: registerNumbers{pc: 8, sp: 7, fp: 6, bcp: 21, thread: 23},
		saved:   registerNumbers{pc: 16, sp: 19, fp: 4, bcp: 2, thread: 0},
		returns: x86Returns, callTarget: x86CallTarget,
	}
	if major == 8 {
		f.Locals, f.BCP, f.monitors = -6, -7, -8
	}
	return f
}

// aarch64Frame: 9 and newer have one word more than x86-64, for alignment (from 20 on with the
// extended sp in it).
func aarch64Frame(major int) frameLayout {
	f := frameLayout{
		SenderSP: -1, LastSP: -2, Method: -3, Locals: -8, BCP: -9, monitors: -10,
		fpRegister: 2 * 29, CodeAddress: 1<<48 - 1,
		sampled: registerNumbers{pc: 32, sp: 31, fp: 29, bcp: 22, thread: 28},
		saved:   registerNumbers{pc: 32, sp: 31, fp: 29, bcp: 22, thread: 28},
		returns: aarch64Returns, callTarget: aarch64CallTarget,
	}
	if major == 8 {
		f.Locals, f.BCP, f.monitors = -6, -7, -8
	}
	return f
}

// registerNumbers are the registers that tell where a thread is: besides pc, sp and fp those in which the
// interpreter has the address of the bytecode, and all Java code its JavaThread.
//
//	asm/perf_regs.h, asm/ptrace.h; cpu/x86/assembler_x86.hpp, cpu/aarch64/assembler_aarch64.hpp
type registerNumbers struct{ pc, sp, fp, bcp, thread int }

// mask is the set of the registers.
func (n registerNumbers) mask() uint64 {
	return 1<<n.pc | 1<<n.sp | 1<<n.fp | 1<<n.bcp | 1<<n.thread
}
