package kernel

import (
	"errors"
	"io/fs"
	"os"
	"strconv"
	"strings"
	"unsafe"

	"golang.org/x/sys/unix"
)

// MayRead reports whether the memory of a process may be read: nil if so, else an error that is
// fs.ErrPermission where a right is missing. It reads the first byte that is mapped.
func MayRead(r *Reader, pid int) error {
	at, err := firstMapped(r, pid)
	if err != nil {
		return err
	}
	err = readByte(pid, at)
	if errors.Is(err, unix.EFAULT) { // the right is checked first; the first mapping of JDK 25 cannot be read
		return nil
	}
	return err
}

// MayReadSelf is MayRead of this process's memory: what fails there is forbidden whatever the target.
func MayReadSelf() error {
	var b byte
	return readByte(os.Getpid(), uintptr(unsafe.Pointer(&b)))
}

func readByte(pid int, at uintptr) error {
	var b [1]byte
	local := []unix.Iovec{{Base: &b[0], Len: 1}}
	_, err := unix.ProcessVMReadv(pid, local, []unix.RemoteIovec{{Base: at, Len: 1}}, 0)
	return err
}

// firstMapped is where the first mapping of a process begins: its program, which can be read.
func firstMapped(r *Reader, pid int) (uintptr, error) {
	maps, err := os.Open(r.Path(pid, "maps"))
	if err != nil {
		return 0, err
	}
	defer func() { _ = maps.Close() }()
	var line [64]byte
	n, err := maps.Read(line[:])
	if n == 0 {
		if err == nil {
			err = fs.ErrNotExist
		}
		return 0, err
	}
	text, _, _ := strings.Cut(string(line[:n]), "-")
	at, err := strconv.ParseUint(text, 16, 64)
	return uintptr(at), err
}
