package profile

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/sys/unix"

	"github.com/jstall/jstall/internal/source"
	"github.com/jstall/jstall/internal/source/folder"
)

// repository is the disk that the flight recorder writes to, kept open by a descriptor.
type repository struct {
	disk  *os.File
	place string
	chunk int64
}

// mayRecord refuses a recording that could end the JVM, before any request is sent.
func (r *FlightRecorder) mayRecord() (*repository, error) {
	if err := roomForThreads(r.Live.Target(), recorderThreads); err != nil {
		return nil, err
	}
	repository, err := openRepository(r.Live.Asker().Folders())
	if err != nil {
		return nil, err
	}
	if full := repository.lacks(recordingSize + 3*repository.chunk); full != nil {
		repository.close()
		return nil, full
	}
	return repository, nil
}

// openRepository opens the folder that the recorder writes to: the folder of its open file, or else the nearest
// existing folder on the path where it will make one.
func openRepository(f *folder.Maker) (*repository, error) {
	r := &repository{place: repositoryPlace(f.Process), chunk: chunkSize(f.Process)}
	if file := openChunk(f); file != nil {
		r.disk, r.place = file, filepath.Dir(file.Name())
		return r, nil
	}
	files := f.Kernel.Opener(f.Viewer(r.place))
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

// openChunk opens the file that the recorder is writing, without access to its content; nil if it is not found.
func openChunk(f *folder.Maker) (chunk *os.File) {
	find := func() error {
		names, err := readNames(f.Kernel.Path(f.Process.PID, "fd"))
		for _, name := range names {
			link := f.Kernel.Path(f.Process.PID, "fd", name)
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
		_ = f.AsTarget()(find)
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

// runsFull reports, during a recording, a disk whose free space is less than the files that the recorder may yet write;
// nil if there is enough.
func (r *repository) runsFull() *NoRoomError { return r.lacks(2 * r.chunk) }

// lacks returns an error if the disk has less free space than needed.
func (r *repository) lacks(needed int64) *NoRoomError {
	var disk unix.Statfs_t
	if err := unix.Fstatfs(int(r.disk.Fd()), &disk); err != nil || disk.Blocks == 0 { // tmpfs without limit
		return nil
	}
	e := &NoRoomError{Place: r.place, Free: folder.FreeOf(disk), Needed: needed, Inodes: disk.Files > 0 &&
		disk.Ffree == 0}
	if e.Free < needed || e.Inodes {
		return e
	}
	return nil
}
