package vm

import (
	"errors"
	"fmt"
	"io/fs"

	"golang.org/x/sys/unix"
)

// ProcessMemory reads a process by its id.
type ProcessMemory int

func (m ProcessMemory) ReadAt(addr uint64, buf []byte) error {
	if len(buf) == 0 {
		return nil
	}
	local := []unix.Iovec{{Base: &buf[0], Len: uint64(len(buf))}}
	remote := []unix.RemoteIovec{{Base: uintptr(addr), Len: len(buf)}}
	n, err := unix.ProcessVMReadv(int(m), local, remote, 0)
	switch {
	case err != nil:
		return err
	case n != len(buf):
		return fmt.Errorf("%d of %d bytes at %#x", n, len(buf), addr)
	}
	return nil
}

// Denied is fs.ErrPermission if the kernel does not let us read the process.
func (m ProcessMemory) Denied(bases []uint64) error {
	var b [1]byte
	if len(bases) > 0 {
		if err := m.ReadAt(bases[0], b[:]); errors.Is(err, unix.EPERM) {
			return fmt.Errorf("memory of process %d: %w", int(m), fs.ErrPermission)
		}
	}
	return nil
}
