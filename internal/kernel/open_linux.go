package kernel

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"
	"time"

	"golang.org/x/sys/unix"

	"github.com/jstall/jstall/internal/caught"
)

const (
	// patience is how long one access to a file may take. Files of a local disk take less
	// than a millisecond.
	patience = 300 * time.Millisecond
	// mostHungOfOne are the accesses to files of one process that may hang, mostHung those
	// of all at a time. Each keeps a thread until the file system answers, or we end.
	mostHungOfOne = 2
	mostHung      = 6
)

// NotReadError is why a file that exists is not read.
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
//   - Each access ends within 300 ms. The kernel may hold a thread of ours for longer: after
//     two such accesses the Opener begins no other, and when six threads hang none does.
//
// What fails so is a *NotReadError; the rest are errors of package fs. An Opener is used
// by one goroutine at a time and must be closed.
type Opener struct {
	r   *Reader
	pid int

	// jobs are for the goroutine that serves them, if one does; nil: none yet.
	jobs chan func(*view)
	hung int
}

// Opener returns an Opener for a process. It reads nothing before the first file is asked for.
func (r *Reader) Opener(pid int) *Opener {
	return &Opener{r: r, pid: pid}
}

// Close ends the Opener's thread. Files that were opened stay open.
func (o *Opener) Close() {
	if o.jobs != nil {
		close(o.jobs)
		o.jobs = nil
	}
}

// Read returns the bytes of a regular file and fails if there are more than limit.
func (o *Opener) Read(path string, limit int64) ([]byte, error) {
	return attempt(o, path, func(v *view) ([]byte, error) {
		f, err := v.open(path)
		if err != nil {
			return nil, err
		}
		defer func() { _ = f.Close() }()
		return ReadSome(f, limit)
	})
}

// ReadParts lets read take what it needs from a regular file. read must not keep the file.
func ReadParts[T any](o *Opener, path string, read func(*io.SectionReader) T) (T, error) {
	return attempt(o, path, func(v *view) (T, error) {
		var none T
		f, err := v.open(path)
		if err != nil {
			return none, err
		}
		defer func() { _ = f.Close() }()
		return read(io.NewSectionReader(f, 0, sizeOf(f))), nil
	})
}

// ReadOwned is Read for a file that must belong to a user.
func (o *Opener) ReadOwned(path string, uid uint32, limit int64) ([]byte, error) {
	return attempt(o, path, func(v *view) ([]byte, error) {
		f, err := v.open(path)
		if err != nil {
			return nil, err
		}
		return readOwned(f, uid, limit)
	})
}

// ReadMapped is ReadOwned for the file that the process has mapped at a range of addresses,
// as map_files names it. To follow that link takes rights of ours, which the process may
// lack.
func (o *Opener) ReadMapped(addresses string, uid uint32, limit int64) ([]byte, error) {
	path := o.r.Path(o.pid, "map_files", addresses)
	return bounded(o, path, o.asOurselves, func(v *view) ([]byte, error) {
		f, err := v.mapped(path)
		if err != nil {
			return nil, err
		}
		return readOwned(f, uid, limit)
	})
}

func readOwned(f *os.File, uid uint32, limit int64) ([]byte, error) {
	defer func() { _ = f.Close() }()
	var st unix.Stat_t
	if err := unix.Fstat(int(f.Fd()), &st); err != nil {
		return nil, &os.PathError{Op: "stat", Path: f.Name(), Err: err}
	}
	if st.Uid != uid {
		return nil, &os.PathError{Op: "read", Path: f.Name(), Err: fmt.Errorf("belongs to uid %d, not %d", st.Uid, uid)}
	}
	return ReadSome(f, limit)
}

// Folder opens a folder with O_PATH: to name files in it, not to list it. A relative path
// is refused for a process whose working directory is not below its root.
func (o *Opener) Folder(path string) (*os.File, error) {
	return attempt(o, path, func(v *view) (*os.File, error) {
		n, err := v.folder(path)
		if err != nil {
			return nil, err
		}
		return os.NewFile(uintptr(n.fd), v.r.inside(v.pid, path)), nil
	})
}

// List opens a folder as Folder does, whose names can be read.
func (o *Opener) List(path string) (*os.File, error) {
	return attempt(o, path, func(v *view) (*os.File, error) {
		n, err := v.folder(path)
		if err != nil {
			return nil, err
		}
		return v.reopen(n, path, unix.O_DIRECTORY)
	})
}

// CommandLine returns the arguments of the process, its program first.
func (o *Opener) CommandLine() ([]string, error) { return o.inMemory("cmdline", o.r.commandLine) }

// Environment returns the variables of the process, "NAME=VALUE" each.
func (o *Opener) Environment() ([]string, error) { return o.inMemory("environ", o.r.environment) }

// inMemory bounds a read of what lies in the process's memory, as gopsutil has no deadline: that
// memory may be a file of a server that hangs, or be locked for long.
func (o *Opener) inMemory(name string, read func(pid int) ([]string, error)) ([]string, error) {
	words := func(*view) ([]string, error) { return read(o.pid) }
	all, err := bounded(o, name, o.asOurselves, words)
	if errors.Is(err, fs.ErrPermission) {
		return bounded(o, name, o.asProcess, words)
	}
	return all, err
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
	defer func() { _ = folder.Close() }()
	return unix.FcntlInt(folder.Fd(), unix.F_DUPFD_CLOEXEC, 0)
}

// OpenIn opens one regular file as an Opener does.
func (r *Reader) OpenIn(pid int, path string) (*os.File, error) {
	o := r.Opener(pid)
	defer o.Close()
	return attempt(o, path, func(v *view) (*os.File, error) { return v.open(path) })
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
	if o.hung >= mostHungOfOne {
		return none, &NotReadError{path, "not opened, since other files of the process gave no answer"}
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
		a.broken.Repanic()
		return a.value, a.err
	case <-timer.C:
	}
	o.hung++
	o.Close() // the next access has another goroutine
	o.r.hung.Add(1)
	go func() {
		late := <-done
		o.r.hung.Add(-1)
		if f, ok := any(late.value).(*os.File); ok && f != nil {
			_ = f.Close()
		}
	}()
	return none, &NotReadError{path, fmt.Sprintf("no answer within %v", patience)}
}

// attempt runs f with the ids of the process.
func attempt[T any](o *Opener, path string, f func(*view) (T, error)) (T, error) {
	return bounded(o, path, o.asProcess, f)
}

// asOurselves runs f on a separate goroutine.
func (o *Opener) asOurselves(f func(*view)) { go f(&view{r: o.r, pid: o.pid}) }

// asProcess runs f on the goroutine that serves all files of the process.
func (o *Opener) asProcess(f func(*view)) {
	if o.jobs == nil {
		o.jobs = make(chan func(*view), 1)
		go o.serve(o.jobs)
	}
	o.jobs <- f
}

// serve opens the folders where paths begin with our own ids, as only those of a tracer may
// do that, and does the rest with the ids of the process.
func (o *Opener) serve(jobs <-chan func(*view)) {
	v := &view{r: o.r, pid: o.pid}
	v.anchor()
	defer v.close()
	work := func() error {
		if errors.Is(v.refused, fs.ErrPermission) {
			v.anchor()
		}
		for job := range jobs {
			job(v)
		}
		return nil
	}
	begin, theirs, err := rightsOf(o.r, o.pid)
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
