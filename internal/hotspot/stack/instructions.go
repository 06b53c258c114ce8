package stack

import (
	"bytes"
	"encoding/binary"

	"github.com/jstall/jstall/internal/hotspot/vm"
)

// Compiled code sets its frame up in the first instructions and takes it down in the last ones. In between, the
// return address is in the highest word of the frame. The functions of this file derive from the next instructions
// where it is at any place. They know the instructions that HotSpot's compilers write, and refuse all others.
//
//	cpu/x86/macroAssembler_x86.cpp, MacroAssembler::verified_entry
//	cpu/x86/c1_MacroAssembler_x86.cpp, C1_MacroAssembler::build_frame and remove_frame
//	cpu/x86/x86_64.ad, MachEpilogNode::emit

// x86Returns: to set up, code pushes rbp and lowers rsp by the rest of the frame, or lowers rsp by all of it and
// stores rbp. To end, it raises rsp, pops rbp, polls for a safepoint and returns.
func x86Returns(ahead []byte, frame uint64, complete bool) (returnSlot, bool) {
	const pushRBP = 0x55
	whole := returnSlot{at: frame - vm.WordSize, fp: frame - 2*vm.WordSize}
	if complete {
		if slot, ends := x86Ends(ahead); ends {
			return slot, true
		}
		return whole, true
	}
	push := bytes.IndexByte(ahead, pushRBP)
	if at := x86Lowers(ahead, frame-2*vm.WordSize); at >= 0 {
		if push >= 0 && push < at {
			return returnSlot{inRegister: true}, true
		}
		return returnSlot{at: vm.WordSize}, true
	}
	if x86Lowers(ahead, frame-vm.WordSize) >= 0 {
		return returnSlot{inRegister: true}, true
	}
	storeShort, storeLong := []byte{0x48, 0x89, 0x6c, 0x24}, []byte{0x48, 0x89, 0xac, 0x24} // mov %rbp,N(%rsp)
	if bytes.HasPrefix(ahead, storeShort) || bytes.HasPrefix(ahead, storeLong) {
		return returnSlot{at: frame - vm.WordSize, inRegister: true}, true
	}
	return whole, push < 0
}

// x86Lowers is where rsp is lowered by a number of bytes; -1 if nowhere.
func x86Lowers(code []byte, by uint64) int {
	if by == 0 || by > maxFrame {
		return -1
	}
	long := binary.LittleEndian.AppendUint32([]byte{0x48, 0x81, 0xec}, uint32(by))
	if at := bytes.Index(code, long); at >= 0 || by > 127 {
		return at
	}
	return bytes.Index(code, []byte{0x48, 0x83, 0xec, byte(by)})
}

// x86Polls are instructions between pop and ret: how they begin, and their lengths.
var x86Polls = []struct {
	begin  string
	length int
}{
	{"\x85\x05", 6},     // test %eax,poll(%rip), 8
	{"\x49\xba", 10},    // mov $poll,%r10, 8
	{"\x41\x85\x02", 3}, // test %eax,(%r10)
	{"\x4d\x8b\x57", 4}, // mov poll(%r15),%r10, 11
	{"\x4d\x8b\x97", 7}, // the same
	{"\x49\x3b\x67", 4}, // cmp poll(%r15),%rsp, 17
	{"\x49\x3b\xa7", 7}, // the same
	{"\x0f\x87", 6},     // ja slow path
	{"\xc5\xf8\x77", 3}, // vzeroupper
}

// x86Ends reports whether the frame is taken down already, or all but rbp.
func x86Ends(ahead []byte) (returnSlot, bool) {
	const popRBP, ret, most = 0x5d, 0xc3, 8
	slot := returnSlot{inRegister: true}
	if len(ahead) > 0 && ahead[0] == popRBP {
		slot = returnSlot{at: vm.WordSize}
		ahead = ahead[1:]
	}
	for range most {
		if len(ahead) > 0 && ahead[0] == ret {
			return slot, true
		}
		length := 0
		for _, p := range x86Polls {
			if bytes.HasPrefix(ahead, []byte(p.begin)) {
				length = p.length
			}
		}
		if length == 0 || length > len(ahead) {
			break
		}
		ahead = ahead[length:]
	}
	return slot, !slot.inRegister
}

// x86CallTarget knows the forms of calls: to an address near the code, to one in r10, and by a register or memory.
func x86CallTarget(before []byte, at uint64) (target uint64, isCall bool) {
	end := len(before)
	tail := func(n int) []byte { return before[end-n:] }
	isTo := func(code byte) bool { return code>>3&7 == 2 } // FF /2
	switch {
	case tail(5)[0] == 0xe8:
		return at + uint64(int64(int32(binary.LittleEndian.Uint32(tail(4))))), true
	case bytes.Equal(tail(3), []byte{0x41, 0xff, 0xd2}) && bytes.Equal(tail(13)[:2], []byte{0x49, 0xba}):
		return binary.LittleEndian.Uint64(tail(11)), true
	case tail(2)[0] == 0xff && isTo(tail(1)[0]), tail(3)[0] == 0xff && isTo(tail(2)[0]),
		tail(6)[0] == 0xff && isTo(tail(5)[0]):
		return 0, true
	}
	return 0, false
}

// aarch64Returns knows complete frames only, away from their end. It was written after
// cpu/aarch64/macroAssembler_aarch64.cpp, build_frame and remove_frame, and has not been tested.
func aarch64Returns(ahead []byte, frame uint64, complete bool) (returnSlot, bool) {
	const ret, most = 0xd65f03c0, 8
	for range most {
		if len(ahead) < 4 {
			break
		}
		if binary.LittleEndian.Uint32(ahead) == ret {
			return returnSlot{}, false
		}
		ahead = ahead[4:]
	}
	return returnSlot{at: frame - vm.WordSize, fp: frame - 2*vm.WordSize}, complete
}

// aarch64CallTarget knows bl and blr.
func aarch64CallTarget(before []byte, at uint64) (target uint64, isCall bool) {
	code := binary.LittleEndian.Uint32(before[len(before)-4:])
	switch {
	case code>>26 == 0x25: // bl, in words from itself
		return at - 4 + uint64(int64(int32(code<<6))>>6*4), true
	case code&0xfffffc1f == 0xd63f0000:
		return 0, true
	}
	return 0, false
}

// returnSlot is where a frame has its return address and the caller's fp, both in bytes from sp. The caller's fp may
// still be in the register.
type returnSlot struct {
	at         uint64
	fp         uint64
	inRegister bool
}

// maxFrame bounds the size of a frame, in bytes.
const maxFrame = 1 << 20
