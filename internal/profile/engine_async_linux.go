package profile

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/jstall/jstall/attach"
	"github.com/jstall/jstall/internal/source"
	"github.com/jstall/jstall/internal/source/folder"
	"github.com/jstall/jstall/internal/source/target"
)

// givenAsync is the library in a file on our side. It is used in place if the JVM sees the same file there.
func givenAsync(t *target.JVM, name string) (*asyncLibrary, error) {
	content, jar, err := readAsync(name)
	if err != nil {
		return nil, fmt.Errorf("%s cannot be used: %w", name, source.Bare(err))
	}
	whole, err := filepath.Abs(name)
	if err == nil && !jar && sees(t, whole) {
		return &asyncLibrary{path: whole}, nil
	}
	return &asyncLibrary{content: content}, nil
}

// sees reports whether the target may read a file of ours under the path that we use.
func sees(t *target.JVM, name string) bool {
	theirs, err := t.Kernel.OpenIn(t.Process.PID, name)
	if err != nil {
		return false
	}
	defer func() { _ = theirs.Close() }()
	there, err := theirs.Stat()
	if err != nil {
		return false
	}
	here, err := os.Stat(name)
	return err == nil && os.SameFile(here, there)
}

// roomForThreads returns an error if the target may not start n more threads.
func roomForThreads(t *target.JVM, n int) error {
	full := target.NewLimits(t.Kernel).Threads(t.Process.PID, n)
	if full.Result != attach.NotOK {
		return nil
	}
	return &attach.Error{
		Phase: attach.PhaseCheck, PID: t.Process.PID, Code: full.Code, Cause: full.Detail,
		Remedy: full.Remedy, Err: full.Err,
	}
}

// leftRecording reports whether the target writes a recording for a run of jstall that has ended.
func leftRecording(f *folder.Maker) bool {
	left := false
	look := func() error {
		fds := f.Kernel.Path(f.Process.PID, "fd")
		names, err := readNames(fds)
		for _, name := range names {
			path, _ := os.Readlink(filepath.Join(fds, name))
			path = strings.TrimSuffix(path, " (deleted)")
			left = left || filepath.Base(path) == folder.FormatJFR && f.MakerGone(filepath.Base(filepath.Dir(path)))
		}
		return err
	}
	if look() != nil {
		_ = f.AsTarget()(look)
	}
	return left
}

// leastFree is the free space on the folder's disk at which a recording ends.
const leastFree = 64 << 20

// diskOf is the disk of a folder, as long as the folder is open.
func diskOf(f *folder.Folder) *repository {
	return &repository{disk: f.Parent, place: filepath.Dir(f.Inside), chunk: leastFree / 2}
}
