//go:build !linux

package kernel

import (
	"errors"
	"os"
	"path/filepath"
	"time"
)

// errNotLinux is what every live look gives elsewhere.
var errNotLinux = errors.New("looking at live processes needs Linux")

// RunAs needs Linux.
func RunAs(uid, gid uint32, groups []uint32, f func() error) error { return errNotLinux }

// OpenIn opens a file under the root, or for a relative path the working
// directory, of a process in a saved tree.
func (r *Reader) OpenIn(pid int, path string) (*os.File, error) {
	if filepath.IsAbs(path) {
		return os.Open(r.Path(pid, "root", path))
	}
	return os.Open(r.Path(pid, "cwd", path))
}

// mayWait needs Linux, but for saved files.
func (r *Reader) mayWait(pid int) bool { return r.Root != "/proc" }

func bootClock() (time.Duration, error) { return 0, errNotLinux }

// isFIFO needs Linux.
func isFIFO(path string) bool { return false }

// FileMappings needs Linux.
func FileMappings(maps *os.File, from uint64, see func(Mapping)) error { return errNotLinux }
