package hotspot

import "debug/elf"

// frameLayout is what differs between processors: where an interpreted frame keeps what, in words
// from fp, and the number that compiled code's tables give to the register fp.
//
//	cpu/x86/frame_x86.hpp, cpu/aarch64/frame_aarch64.hpp, vmreg_x86.hpp, vmreg_aarch64.hpp
//
// Both agree in the rest: at fp is the caller's fp, then the return address; a compiled frame has
// the return address in its highest word and the caller's fp below it.
type frameLayout struct {
	senderSP, method, locals, bcp int64
	// monitors is the word that tells where the monitors end. They begin below it and grow down.
	monitors int64
	// fpRegister is VMReg::value of fp: two slots for each register.
	fpRegister int64
	// codeAddress are the bits of a return address that are an address: aarch64 may sign the others.
	codeAddress uint64
	// shiftsByColour tells how references of generational ZGC are shifted, see zgc.
	shiftsByColour bool
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
		senderSP: -1, method: -3, locals: -7, bcp: -8, monitors: -9,
		fpRegister: 2 * 5, codeAddress: 1<<64 - 1, shiftsByColour: true,
	}
	if major == 8 {
		f.locals, f.bcp, f.monitors = -6, -7, -8
	}
	return f
}

// aarch64Frame: 9 and newer have one word more than x86-64, for alignment (from 20 on with the
// extended sp in it).
func aarch64Frame(major int) frameLayout {
	f := frameLayout{
		senderSP: -1, method: -3, locals: -8, bcp: -9, monitors: -10,
		fpRegister: 2 * 29, codeAddress: 1<<48 - 1,
	}
	if major == 8 {
		f.locals, f.bcp, f.monitors = -6, -7, -8
	}
	return f
}
