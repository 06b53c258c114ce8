package kernel

import "encoding/binary"

// atBase is AT_BASE of include/uapi/linux/auxvec.h.
const atBase = 7

// ParseLoaderBase returns from /proc/PID/auxv where the dynamic loader of a process
// lies, which maps what it loads next to itself; false for a program without one.
func ParseLoaderBase(auxv []byte) (address uint64, ok bool) {
	for ; len(auxv) >= 16; auxv = auxv[16:] {
		if binary.NativeEndian.Uint64(auxv) == atBase {
			address = binary.NativeEndian.Uint64(auxv[8:])
			return address, address != 0
		}
	}
	return 0, false
}
