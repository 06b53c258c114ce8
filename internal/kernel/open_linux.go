package kernel

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
	"sync"
	"time"

	"golang.org/x/sys/unix"

	"jstall/internal/caught"
)

const (
	// patience is how long one access to a file may take. Files of a local disk take less
	// than a millisecond.
	patience = 300 * time.Millisecond
	// mostHung are the threads that may hang in the kernel at a time. Each of them stays
	// until the file system answers, or we end.
	mostHung = 6
)

// NotReadError tells why a file that exists is not read.
type NotReadError struct{ Path, Cause string }

func (e *NotReadError) Error() string { return e.Path + ": " + e.Cause }

// Opener opens the files that one process names, as that process would find them:
//
//   - Each path is followed inside of the process's root, a relative one from its working
//     directory. No link, no ".." and no rename leads out of that root.
//   - The kernel decides with the process's ids and rights whether it may read a file.
//     Where we cannot take those on, the mode bits of the file and its folders decide.
//   - A file is looked at before it is opened for reading. A pipe or a device is never
//     opened, and neither is anything on a mount whose server may hang (FUSE, NFS and
//     their like, unless the root of the process is on that mount), or in /proc or /sys.
//   - Each access ends within 300 ms. The kernel may hold a thread of ours for longer; then
//     the Opener gives up, and when six threads hang no Opener begins another access.
//
// What fails so is a *NotReadError; the rest are errors of package fs. An Opener is used
// by one goroutine at a time and must be closed.
type Opener struct {
	r   *Reader
	pid int

	start sync.Once
	jobs  chan func(*view)
	hung  bool
}

// Opener returns an Opener for a process. It reads nothing before the first file is asked for.
func (r *Reader) Opener(pid int) *Opener {
	return &Opener{r: r, pid: pid, jobs: make(chan func(*view), 1)}
}

// Close ends the Opener's thread. Files that were opened stay open.
func (o *Opener) Close() { close(o.jobs) }

// Read returns the bytes of a regular file and fails if there are more than limit.
func (o *Opener) Read(path string, limit int64) ([]byte, error) {
	return attempt(o, path, func(v *view) ([]byte, error) {
		f, err := v.open(path)
		if err != nil {
			return nil, err
		}
		defer f.Close()
		return ReadSome(f, limit)
	})
}

// Open opens a regular file for reading.
func (o *Opener) Open(path string) (*os.File, error) {
	return attempt(o, path, func(v *view) (*os.File, error) { return v.open(path) })
}

// Folder opens a folder with O_PATH: to name files in it, not to list it.
func (o *Opener) Folder(path string) (*os.File, error) {
	return attempt(o, path, func(v *view) (*os.File, error) {
		n, err := v.find(path, unix.S_IFDIR)
		if err != nil {
			return nil, err
		}
		return os.NewFile(uintptr(n.fd), v.r.inside(v.pid, path)), nil
	})
}

// List opens a folder whose names can be read.
func (o *Opener) List(path string) (*os.File, error) {
	return attempt(o, path, func(v *view) (*os.File, error) {
		n, err := v.find(path, unix.S_IFDIR)
		if err != nil {
			return nil, err
		}
		return v.reopen(n, path, unix.O_DIRECTORY)
	})
}

// Mapped opens the regular file that the process has mapped at a range of addresses, as
// map_files names it. To follow that link takes rights of our own, which the process may
// lack.
func (o *Opener) Mapped(addresses string) (*os.File, error) {
	path := o.r.Path(o.pid, "map_files", addresses)
	return bounded(o, path, o.asOurselves, func(v *view) (*os.File, error) { return v.mapped(path) })
}

// Proc returns the bytes of /proc/PID/NAME, for files such as cmdline and environ: they lie
// in the process's memory, and that may be a file of a server that hangs.
func (o *Opener) Proc(name string) ([]byte, error) {
	read := func(*view) ([]byte, error) { return o.r.ReadFile(o.pid, name) }
	text, err := bounded(o, name, o.asOurselves, read)
	if errors.Is(err, fs.ErrPermission) {
		return bounded(o, name, o.asProcess, read)
	}
	return text, err
}

// inside is a path of a process as we would write it.
func (r *Reader) inside(pid int, path string) string {
	if strings.HasPrefix(path, "/") {
		return r.Path(pid, "root") + path
	}
	return r.Path(pid, "cwd") + "/" + path
}

// OpenFolder opens a folder of a process as an Opener does, with O_PATH. The descriptor is
// the caller's to close.
func (r *Reader) OpenFolder(pid int, path string) (int, error) {
	o := r.Opener(pid)
	defer o.Close()
	folder, err := o.Folder(path)
	if err != nil {
		return -1, err
	}
	defer folder.Close()
	return unix.FcntlInt(folder.Fd(), unix.F_DUPFD_CLOEXEC, 0)
}

// OpenIn opens one regular file as an Opener does.
func (r *Reader) OpenIn(pid int, path string) (*os.File, error) {
	o := r.Opener(pid)
	defer o.Close()
	return o.Open(path)
}

// bounded has f run by begin and waits for it as long as we have patience. What f opens
// later than that is closed.
func bounded[T any](o *Opener, path string, begin func(func(*view)), f func(*view) (T, error)) (T, error) {
	type answer struct {
		value  T
		err    error
		broken *caught.Panic
	}
	var none T
	if o.hung {
		return none, &NotReadError{path, "not opened, since another file of the process gave no answer"}
	}
	if n := o.r.hung.Load(); n >= mostHung {
		return none, &NotReadError{path, fmt.Sprintf("not opened, since %d files of other processes give no answer", n)}
	}
	done := make(chan answer, 1)
	begin(func(v *view) {
		var a answer
		a.broken = caught.Try(func() { a.value, a.err = f(v) })
		done <- a
	})
	timer := time.NewTimer(patience)
	defer timer.Stop()
	select {
	case a := <-done:
		a.broken.Again()
		return a.value, a.err
	case <-timer.C:
	}
	o.hung = true
	o.r.hung.Add(1)
	go func() {
		late := <-done
		o.r.hung.Add(-1)
		if f, ok := any(late.value).(*os.File); ok && f != nil {
			f.Close()
		}
	}()
	return none, &NotReadError{path, fmt.Sprintf("no answer within %v", patience)}
}

// attempt runs f with the ids of the process.
func attempt[T any](o *Opener, path string, f func(*view) (T, error)) (T, error) {
	return bounded(o, path, o.asProcess, f)
}

// asOurselves runs f on a goroutine of its own.
func (o *Opener) asOurselves(f func(*view)) { go f(&view{r: o.r, pid: o.pid}) }

// asProcess runs f on the goroutine that serves all files of the process.
func (o *Opener) asProcess(f func(*view)) {
	o.start.Do(func() { go o.serve() })
	o.jobs <- f
}

// serve opens the folders where paths begin with our own ids, as only those of a tracer may
// do that, and does the rest with the ids of the process.
func (o *Opener) serve() {
	v := &view{r: o.r, pid: o.pid}
	v.anchor()
	defer v.close()
	work := func() error {
		if errors.Is(v.refused, fs.ErrPermission) {
			v.anchor()
		}
		for job := range o.jobs {
			job(v)
		}
		return nil
	}
	begin, theirs, err := o.r.rightsOf(o.pid)
	switch {
	case err != nil:
		v.refused = err
		_ = work()
	case begin == nil:
		v.judge = theirs
		_ = work()
	case withRights(begin, work) != nil: // the ids mean nothing in our user namespace
		v.judge = theirs
		_ = work()
	}
}
