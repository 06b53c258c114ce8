// Package kernel reads what Linux says of a process, its threads and the
// machine: raw bytes under a root that is passed in, and pure parsers of them.
//
// Everything here follows proc(5). Root is "/proc" on a live system and a
// directory of saved files in tests, so nothing but [RunAs] and [Opener]
// needs Linux; elsewhere the package compiles and live reads fail.
//
// gopsutil reads the list of processes, their command lines, environments and open files, and
// the CPU times and the memory of the host (processes.go, host.go). A reader of our own says
// what gopsutil lacks there. What a recording keeps is read by ourselves: it needs the bytes,
// and gopsutil gives figures.
package kernel

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"sort"
	"strconv"
	"sync"
	"sync/atomic"

	unix "github.com/jstall/jstall/internal/posix"
)

// Opt is a value that the kernel may or may not tell. Absent is not zero.
type Opt[T any] struct {
	Value T
	Known bool
}

// Known wraps a value that was there.
func Known[T any](v T) Opt[T] { return Opt[T]{Value: v, Known: true} }

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
	return readFile(unix.AT_FDCWD, r.Path(pid, name), nil)
}

// TIDs lists the kernel's thread ids of a process in ascending order. gopsutil lists them only
// together with their CPU times, which it reads from a file each.
func (r *Reader) TIDs(pid int) ([]int, error) { return numericNames(r.Path(pid, "task")) }

// ThreadCount counts the threads of a process by the links of its task directory: one system
// call, 1 µs. gopsutil reads status for it, 20 µs, and that may read the command line too,
// which may hang.
func (r *Reader) ThreadCount(pid int) (int, error) {
	const own = 2 // links of a directory without subdirectories
	var dir unix.Stat_t
	err := unix.Stat(r.Path(pid, "task"), &dir)
	if n := int(dir.Nlink); err == nil && n > own {
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
	return r.Root == live && errors.Is(unix.Kill(pid, 0), unix.EPERM) && unix.Access(r.Path(pid), unix.F_OK) != nil
}

// Self returns the status of the reading process itself as it was first read: its ids
// and capabilities stay, for those of others are taken on by threads alone.
func (r *Reader) Self() (Status, error) {
	r.self.once.Do(func() {
		text, err := readFile(unix.AT_FDCWD, filepath.Join(r.Root, "self", "status"), nil)
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
		r.mounts.text, _ = readFile(unix.AT_FDCWD, filepath.Join(r.Root, "self", "mountinfo"), nil)
	})
	return r.mounts.text
}

// numericNames are the names of threads or descriptors in a directory, in order.
func numericNames(dir string) ([]int, error) {
	d, err := os.Open(dir)
	if err != nil {
		return nil, err
	}
	defer func() { _ = d.Close() }()
	names, err := d.Readdirnames(-1)
	ids := make([]int, 0, len(names))
	for _, name := range names {
		if id, err := strconv.Atoi(name); err == nil && id >= 0 {
			ids = append(ids, id)
		}
	}
	sort.Ints(ids)
	return ids, err
}

// readFile reads a whole file with as few system calls as procfs allows and
// appends it to buf[:0].
func readFile(dirfd int, path string, buf []byte) ([]byte, error) {
	fd, err := retry(func() (int, error) {
		return unix.Openat(dirfd, path, unix.O_RDONLY|unix.O_CLOEXEC, 0)
	})
	if err != nil {
		return nil, &fs.PathError{Op: "open", Path: path, Err: err}
	}
	defer func() { _ = unix.Close(fd) }()
	if buf, err = readAll(fd, buf[:0]); err != nil {
		return nil, &fs.PathError{Op: "read", Path: path, Err: gone(err)}
	}
	return buf, nil
}

func readAll(fd int, buf []byte) ([]byte, error) {
	for {
		if cap(buf)-len(buf) < 512 {
			buf = append(make([]byte, 0, 2*cap(buf)+2048), buf...)
		}
		n, err := retry(func() (int, error) { return unix.Read(fd, buf[len(buf):cap(buf)]) })
		if err != nil || n == 0 {
			return buf, err
		}
		buf = buf[:len(buf)+n]
	}
}

func retry(call func() (int, error)) (int, error) {
	for {
		if n, err := call(); err != unix.EINTR {
			return n, err
		}
	}
}

// gone turns the ESRCH that procfs gives for a process that ended after its
// file was opened into the error of one that ended before.
func gone(err error) error {
	if errors.Is(err, unix.ESRCH) {
		return fs.ErrNotExist
	}
	return err
}

// ReadSome reads at most limit bytes and fails if there are more.
func ReadSome(f io.Reader, limit int64) ([]byte, error) {
	var text bytes.Buffer
	text.Grow(int(min(sizeOf(f), limit)) + bytes.MinRead) // so that two reads do
	_, err := text.ReadFrom(io.LimitReader(f, limit+1))
	if err == nil && int64(text.Len()) > limit {
		return nil, fmt.Errorf("larger than %d bytes", limit)
	}
	return text.Bytes(), err
}

// sizeOf is what a file says of its size: nothing, if it is one of procfs or none.
func sizeOf(f io.Reader) int64 {
	file, ok := f.(*os.File)
	if !ok {
		return 0
	}
	info, err := file.Stat()
	if err != nil {
		return 0
	}
	return max(0, info.Size())
}
