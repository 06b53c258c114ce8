package capture

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/sys/unix"

	"github.com/jstall/jstall/internal/source"
)

// write makes a file in the folder, with the ids of the target's user.
func (f *privateFolder) write(name string, text []byte) error {
	var fd int
	err := f.as(func() (err error) {
		fd, err = unix.Openat(f.fd, name, unix.O_WRONLY|unix.O_CREAT|unix.O_EXCL|unix.O_NOFOLLOW|unix.O_CLOEXEC, 0o600)
		return err
	})
	if err != nil {
		return fmt.Errorf("cannot write %s: %w", f.path(name), err)
	}
	file := os.NewFile(uintptr(fd), f.path(name))
	_, err = file.Write(text)
	if closed := file.Close(); err == nil {
		err = closed
	}
	if err != nil {
		return fmt.Errorf("cannot write %s: %w", f.path(name), source.Bare(err))
	}
	return nil
}

// makerGone reports that a folder's name is of a run of ours that has ended.
func (l *Live) makerGone(name string) bool {
	var pid int
	var start, namespace uint64
	if _, err := fmt.Sscanf(name, folderFormat, &pid, &start, &namespace); err != nil || namespace != pidNamespace() {
		return false
	}
	now, err := l.startOf(pid)
	return err != nil || now != start
}

// repository is the disk that the flight recorder writes to, held by a descriptor.
type repository struct {
	disk  *os.File
	place string
	chunk int64
}

// mayRecord refuses a recording that could end the JVM, before anything is sent.
func (r *FlightRecorder) mayRecord() (*repository, error) {
	if err := r.Live.roomForThreads(recorderThreads); err != nil {
		return nil, err
	}
	repository, err := r.Live.repository()
	if err != nil {
		return nil, err
	}
	if full := repository.lacks(recordingSize + 3*repository.chunk); full != nil {
		repository.close()
		return nil, full
	}
	return repository, nil
}

// repository opens the folder that the recorder writes to: that of the file which it has
// open, or else the nearest one there is on the way to where it will make one.
func (l *Live) repository() (*repository, error) {
	r := &repository{place: l.repositoryPlace(), chunk: l.chunkSize()}
	if file := l.openChunk(); file != nil {
		r.disk, r.place = file, filepath.Dir(file.Name())
		return r, nil
	}
	files := l.Kernel.Opener(l.viewer(r.place))
	defer files.Close()
	for place := r.place; ; place = filepath.Dir(place) {
		dir, err := files.Folder(place)
		if err == nil {
			r.disk = dir
			return r, nil
		}
		if top := place == "/" || place == "."; top || !errors.Is(err, fs.ErrNotExist) {
			return nil, fmt.Errorf("the room in the flight recorder's repository (%s) is not known: %w", r.place,
				source.Bare(err))
		}
	}
}

// openChunk opens the file that the recorder writes at the moment, without access to its
// content; nil if there is none.
func (l *Live) openChunk() (chunk *os.File) {
	find := func() error {
		names, err := readNames(l.Kernel.Path(l.Process.PID, "fd"))
		for _, name := range names {
			link := l.Kernel.Path(l.Process.PID, "fd", name)
			path, err := os.Readlink(link)
			if err != nil || !strings.HasSuffix(path, ".jfr") {
				continue
			}
			if fd, err := unix.Open(link, unix.O_PATH|unix.O_CLOEXEC, 0); err == nil {
				chunk = os.NewFile(uintptr(fd), path)
				return nil
			}
		}
		return err
	}
	if err := find(); errors.Is(err, fs.ErrPermission) {
		_ = l.asTarget()(find)
	}
	return chunk
}

func readNames(dir string) ([]string, error) {
	d, err := os.Open(dir)
	if err != nil {
		return nil, err
	}
	defer func() { _ = d.Close() }()
	return d.Readdirnames(-1)
}

func (r *repository) close() { _ = r.disk.Close() }

// runsFull tells, during a recording, that what is left would not take the files which the
// recorder may yet write.
func (r *repository) runsFull() *NoRoomError { return r.lacks(2 * r.chunk) }

// lacks reports that the disk has less room than needed.
func (r *repository) lacks(needed int64) *NoRoomError {
	var disk unix.Statfs_t
	if err := unix.Fstatfs(int(r.disk.Fd()), &disk); err != nil || disk.Blocks == 0 { // tmpfs without limit
		return nil
	}
	e := &NoRoomError{Place: r.place, Free: freeOf(disk), Needed: needed, Inodes: disk.Files > 0 && disk.Ffree == 0}
	if e.Free < needed || e.Inodes {
		return e
	}
	return nil
}

// freeOf is what users may write to a disk, in bytes.
func freeOf(disk unix.Statfs_t) int64 { return int64(min(disk.Bavail, 1<<40) * uint64(disk.Bsize)) }
