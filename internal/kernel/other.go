//go:build !linux

package kernel

import (
	"errors"
	"os"
	"time"
)

// errNotLinux is the error of every live reading on other systems.
var errNotLinux = errors.New("reading live processes needs Linux")

// RunAs needs Linux.
func RunAs(uid, gid uint32, groups []uint32, f func() error) error { return errNotLinux }

// NotReadError is why a file that exists is not read.
type NotReadError struct{ Path, Cause string }

func (e *NotReadError) Error() string { return e.Path + ": " + e.Cause }

// Opener needs Linux.
type Opener struct{}

// Opener returns one that opens nothing.
func (r *Reader) Opener(pid int) *Opener { return &Opener{} }

// Close does nothing.
func (o *Opener) Close() {}

// Read needs Linux.
func (o *Opener) Read(path string, limit int64) ([]byte, error) { return nil, errNotLinux }

// ReadOwned needs Linux.
func (o *Opener) ReadOwned(path string, uid uint32, limit int64) ([]byte, error) {
	return nil, errNotLinux
}

// ReadMapped needs Linux.
func (o *Opener) ReadMapped(addresses string, uid uint32, limit int64) ([]byte, error) {
	return nil, errNotLinux
}

// Folder needs Linux.
func (o *Opener) Folder(path string) (*os.File, error) { return nil, errNotLinux }

// List needs Linux.
func (o *Opener) List(path string) (*os.File, error) { return nil, errNotLinux }

// CommandLine needs Linux.
func (o *Opener) CommandLine() ([]string, error) { return nil, errNotLinux }

// Environment needs Linux.
func (o *Opener) Environment() ([]string, error) { return nil, errNotLinux }

// OpenFolder needs Linux.
func (r *Reader) OpenFolder(pid int, path string) (int, error) { return -1, errNotLinux }

// ExistsAt needs Linux.
func ExistsAt(folder int, name string) bool { return false }

// OpenIn needs Linux.
func (r *Reader) OpenIn(pid int, path string) (*os.File, error) { return nil, errNotLinux }

// mayWait needs Linux, but for saved files.
func (n network) mayWait() bool { return n.Root != "/proc" }

// isOurs needs Linux.
func (n network) isOurs() bool { return false }

// diagnosed needs Linux.
func diagnosed() []socketRow { return nil }

func bootClock() (time.Duration, error) { return 0, errNotLinux }

// isFIFO needs Linux.
func isFIFO(path string) bool { return false }

// FileMappings needs Linux.
func FileMappings(maps *os.File, from uint64, see func(Mapping)) error { return errNotLinux }

// MayRead needs Linux.
func MayRead(*Reader, int) error { return errNotLinux }

// MayReadSelf needs Linux.
func MayReadSelf() error { return errNotLinux }
