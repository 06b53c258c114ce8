package capture

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"golang.org/x/sys/unix"

	"github.com/jstall/jstall/attach"
	"github.com/jstall/jstall/internal/kernel"
	"github.com/jstall/jstall/internal/source"
)

// givenAsync is the library in a file of ours: in its place if the JVM sees the same file there.
func (l *Live) givenAsync(name string) (*asyncLibrary, error) {
	content, jar, err := readAsync(name)
	if err != nil {
		return nil, fmt.Errorf("%s cannot be used: %w", name, source.Bare(err))
	}
	whole, err := filepath.Abs(name)
	if err == nil && !jar && l.sees(whole) {
		return &asyncLibrary{path: whole}, nil
	}
	return &asyncLibrary{content: content}, nil
}

// sees reports that the target may read a file of ours under the path that we know it by.
func (l *Live) sees(name string) bool {
	theirs, err := l.Kernel.OpenIn(l.Process.PID, name)
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

// roomForThreads refuses what would start more threads than the target may have.
func (l *Live) roomForThreads(n int) error {
	full := newRoom(l.Kernel).Threads(l.Process.PID, n)
	if full.Result != attach.NotOK {
		return nil
	}
	return &attach.Error{
		Phase: attach.PhaseCheck, PID: l.Process.PID, Code: full.Code, Cause: full.Detail,
		Remedy: full.Remedy, Err: full.Err,
	}
}

// usedCPU is what the process has used since it began, 0 if that cannot be read.
func (l *Live) usedCPU() time.Duration {
	text, err := l.Kernel.ReadFile(l.Process.PID, "stat")
	if err != nil {
		return 0
	}
	stat, err := kernel.ParseStat(text)
	if err != nil {
		return 0
	}
	return stat.CPU()
}

// leftRecording reports that the target writes a recording for a run of ours that has ended.
func (l *Live) leftRecording() bool {
	left := false
	look := func() error {
		fds := l.Kernel.Path(l.Process.PID, "fd")
		names, err := readNames(fds)
		for _, name := range names {
			path, _ := os.Readlink(filepath.Join(fds, name))
			path = strings.TrimSuffix(path, " (deleted)")
			left = left || filepath.Base(path) == formatJFR && l.makerGone(filepath.Base(filepath.Dir(path)))
		}
		return err
	}
	if look() != nil {
		_ = l.asTarget()(look)
	}
	return left
}

// has reports that the file of a format is there.
func (f *privateFolder) has(format string) bool {
	there := false
	_ = f.as(func() error {
		there = kernel.ExistsAt(f.fd, format)
		return nil
	})
	return there
}

// log is what async-profiler has written to its log.
func (f *privateFolder) log() string {
	file, err := f.open(formatLog)
	if err != nil {
		return ""
	}
	defer func() { _ = file.Close() }()
	text, _ := io.ReadAll(io.LimitReader(file, maxLog))
	return strings.ToValidUTF8(string(text), "\uFFFD")
}

// forbidsCode reports a folder on a disk that is mounted with noexec.
func (f *privateFolder) forbidsCode() bool {
	var disk unix.Statfs_t
	return unix.Fstatfs(int(f.parent.Fd()), &disk) == nil && disk.Flags&unix.ST_NOEXEC != 0
}

// leastFree is the room on the folder's disk at which a recording ends.
const leastFree = 64 << 20

// disk is that of the folder, as long as the folder is open.
func (f *privateFolder) disk() *repository {
	return &repository{disk: f.parent, place: filepath.Dir(f.inside), chunk: leastFree / 2}
}
