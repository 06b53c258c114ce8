package kernel

import (
	"bytes"
	"os"
	"unsafe"

	"golang.org/x/sys/unix"
)

// The request and the bits of struct procmap_query, include/uapi/linux/fs.h.
const (
	procmapQuery = 0xc0686611 // _IOWR('f', 17, struct procmap_query)

	vmaExecutable  = 0x04
	vmaShared      = 0x08
	coveringOrNext = 0x10
	fileBacked     = 0x20
)

// procmap is struct procmap_query.
type procmap struct {
	size, query, address                       uint64 // asked for
	start, end, flags, pageSize, offset, inode uint64
	major, minor                               uint32
	nameSize, buildIDSize                      uint32
	name                                       *byte
	buildID                                    uint64
}

// FileMappings calls see for every mapping of a file in a process, whose maps
// file is given, in the order of addresses, the first being at from or above. It skips what else there is in the
// kernel: the stacks of thousands of threads. Kernels before 6.11 fail; then the
// text of the file has the same.
func FileMappings(maps *os.File, from uint64, see func(Mapping)) error {
	name := make([]byte, unix.PathMax)
	for q := (procmap{end: from}); ; {
		q = procmap{
			size: uint64(unsafe.Sizeof(q)), query: coveringOrNext | fileBacked, address: q.end,
			name: &name[0], nameSize: uint32(len(name)),
		}
		_, _, errno := unix.Syscall(unix.SYS_IOCTL, maps.Fd(), procmapQuery, uintptr(unsafe.Pointer(&q)))
		if errno == unix.ENOENT {
			return nil
		}
		if errno != 0 {
			return errno
		}
		file, _, _ := bytes.Cut(name[:min(int(q.nameSize), len(name))], []byte{0})
		see(Mapping{
			Start: q.start, End: q.end, File: file,
			Executable: q.flags&vmaExecutable != 0, Shared: q.flags&vmaShared != 0,
		})
	}
}
