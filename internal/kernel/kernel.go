// Package kernel reads what Linux says of a process, its threads and the
// machine: raw bytes under a root that is passed in, and pure parsers of them.
//
// Everything here follows proc(5). Root is "/proc" on a live system and a
// directory of saved files in tests, so nothing but [RunAs] and [Opener]
// needs Linux; elsewhere the package compiles and live reads fail.
//
// gopsutil reads the list of processes, their command lines, environments and open files, and
// the CPU times and the memory of the host (processes.go, host.go). A separate reader says
// what gopsutil lacks there. What a recording keeps is read by ourselves: it needs the bytes,
// and gopsutil gives figures.
package kernel

import (
	"path/filepath"
	"strconv"
	"sync"
	"sync/atomic"
)

// Reader reads process files under Root.
type Reader struct {
	// Root is "/proc", or a directory of the same shape.
	Root string

	moment moment
	self   struct {
		once   sync.Once
		status Status
		err    error
	}
	mounts struct {
		once sync.Once
		text []byte
	}
	// mountTypes are the types of mounts by mountKey, hung the threads that the kernel
	// holds in an access to a file.
	mountTypes sync.Map
	hung       atomic.Int32
}

// New returns a Reader of the tree under root, "/proc" for the live system.
func New(root string) *Reader { return &Reader{Root: root} }

// Path joins Root, the pid and elem: Path(12, "root", "tmp") is /proc/12/root/tmp.
func (r *Reader) Path(pid int, elem ...string) string {
	return filepath.Join(append([]string{r.Root, strconv.Itoa(pid)}, elem...)...)
}

// ReadFile returns the content of /proc/PID/NAME, where name may have several
// parts ("task/13/stat"). A process that ended while it was read gives
// fs.ErrNotExist, as one that ended before does.
func (r *Reader) ReadFile(pid int, name string) ([]byte, error) {
	return readFile(r.Path(pid, name))
}

// TIDs lists the kernel's thread ids of a process in ascending order. gopsutil lists them only
// together with their CPU times, which it reads from a file each.
func (r *Reader) TIDs(pid int) ([]int, error) { return numericNames(r.Path(pid, "task")) }

// ThreadCount counts the threads of a process by the links of its task directory: one system
// call, 1 µs. gopsutil reads status for it, 20 µs, and that may read the command line too,
// which may hang.
func (r *Reader) ThreadCount(pid int) (int, error) {
	const own = 2 // links of a directory without subdirectories
	if n, _, err := folderOf(r.Path(pid, "task")); err == nil && n > own {
		return n - own, nil
	}
	text, err := r.ReadFile(pid, "stat")
	if err != nil {
		return 0, err
	}
	s, err := ParseStat(text)
	return s.NumThreads, err
}

// Hides reports whether there is a process that Root does not show us: /proc is
// mounted with hidepid, and it is another user's.
func (r *Reader) Hides(pid int) bool {
	const live = "/proc"
	return r.Root == live && isHidden(pid, r.Path(pid))
}

// Self returns the status of the reading process itself as it was first read: its ids
// and capabilities stay, for those of others are taken on by threads alone.
func (r *Reader) Self() (Status, error) {
	r.self.once.Do(func() {
		text, err := readFile(filepath.Join(r.Root, "self", "status"))
		if err == nil {
			r.self.status, err = ParseStatus(text)
		}
		r.self.err = err
	})
	return r.self.status, r.self.err
}

// ownMounts is the mountinfo of the reading process as it was first read, nil where that
// fails: where the control groups are mounted stays.
func (r *Reader) ownMounts() []byte {
	r.mounts.once.Do(func() {
		r.mounts.text, _ = readFile(filepath.Join(r.Root, "self", "mountinfo"))
	})
	return r.mounts.text
}
