package folder

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"golang.org/x/sys/unix"

	"github.com/jstall/jstall/internal/kernel"
	"github.com/jstall/jstall/internal/source"
)

// Folder is a new folder, which only the target's user can read, for a file that the target writes. It is kept open by
// descriptors, so that it can be removed even if the target ends or the paths to it change.
type Folder struct {
	Parent *os.File
	fd     int
	name   string
	// Inside is its path for the target, outside its path for us.
	Inside, outside string
	as              func(func() error) error
}

// FolderFormat is the name of a folder: our pid, our start time, and the pid namespace of both, so that a later run can
// see that this one has ended.
const FolderFormat = ".jstall-%d-%d-%d"

// formats are the possible files of a folder, each named after its format.
var formats = [...]string{FormatJSON, FormatPlain, FormatJFR, FormatJFC, FormatLog, AsyncCopy}

// leastRoom is the minimum free space on the target's disk: more than the file of 150,000 virtual threads with deep
// stacks.
const leastRoom = 256 << 20

// OldFolder is how old a folder of another pid namespace is when no process can be writing to it any more.
const OldFolder = time.Hour

// Make makes a folder in the directory of the JVM's socket, or else in its working directory.
func (l *Maker) Make() (*Folder, error) {
	var errs []error
	for _, place := range l.Places() {
		folder, err := l.makeFolder(place)
		if err == nil {
			return folder, nil
		}
		errs = append(errs, fmt.Errorf("%s: %w", place, source.Bare(err)))
	}
	return nil, fmt.Errorf("the JVM has no folder to write them to: %w", errors.Join(errs...))
}

// Places are the possible parents of a folder, as paths of the target.
func (l *Maker) Places() []string {
	places := []string{l.Process.TempDir}
	root, err := os.Readlink(l.Kernel.Path(l.Process.PID, "root"))
	if err != nil {
		return places
	}
	cwd, err := os.Readlink(l.Kernel.Path(l.Process.PID, "cwd"))
	if inside, ok := strings.CutPrefix(cwd, strings.TrimRight(root, "/")); err == nil && ok && filepath.IsAbs(inside) {
		places = append(places, inside)
	}
	return places
}

func (l *Maker) makeFolder(place string) (*Folder, error) {
	if strings.ContainsAny(place, " \t\n\"'%") {
		return nil, errors.New("its name cannot be passed on") // as the parser of diagnostic commands would split it
	}
	name, err := l.folderName()
	if err != nil {
		return nil, err
	}
	f := &Folder{as: l.AsTarget(), name: name, Inside: filepath.Join(place, name)}
	f.outside = l.Kernel.Path(l.Process.PID, "root", f.Inside)
	files := l.Kernel.Opener(l.Viewer(place))
	defer files.Close()
	if f.Parent, err = files.Folder(place); err != nil {
		return nil, err
	}
	if err := f.make(); err != nil {
		_ = f.Parent.Close()
		return nil, err
	}
	return f, nil
}

// AsTarget returns a function that runs others with the ids of the target's user.
func (l *Maker) AsTarget() func(func() error) error {
	p := l.Process
	if uint32(os.Geteuid()) == p.UID {
		return func(f func() error) error { return f() }
	}
	return func(f func() error) error { return kernel.RunAs(p.UID, p.GID, p.Groups, f) }
}

func (l *Maker) folderName() (string, error) {
	pid := os.Getpid()
	start, err := l.StartOf(pid)
	return fmt.Sprintf(FolderFormat, pid, start, PidNamespace()), err
}

func (l *Maker) StartOf(pid int) (uint64, error) {
	text, err := l.Kernel.ReadFile(pid, "stat")
	if err != nil {
		return 0, err
	}
	stat, err := kernel.ParseStat(text)
	return stat.StartTime, err
}

// PidNamespace is the inode of the pid namespace of jstall, 0 if it is unknown.
func PidNamespace() uint64 {
	var st unix.Stat_t
	if unix.Stat("/proc/self/ns/pid", &st) != nil {
		return 0
	}
	return st.Ino
}

func (f *Folder) make() error {
	var disk unix.Statfs_t
	if err := unix.Fstatfs(int(f.Parent.Fd()), &disk); err == nil && disk.Blocks > 0 && FreeOf(disk) < leastRoom {
		return fmt.Errorf("%d MB are free, and %d MB are needed", FreeOf(disk)>>20, leastRoom>>20)
	}
	return f.as(func() error {
		if err := unix.Mkdirat(int(f.Parent.Fd()), f.name, 0o700); err != nil {
			return err
		}
		fd, err := kernel.FolderAt(int(f.Parent.Fd()), f.name)
		if err != nil {
			_ = unix.Unlinkat(int(f.Parent.Fd()), f.name, unix.AT_REMOVEDIR)
		}
		f.fd = fd
		return err
	})
}

// Path is where the target writes the file of a format.
func (f *Folder) Path(format string) string { return filepath.Join(f.Inside, format) }

// Open opens the file of a format. As the target controls the folder, only a plain file is read, with the ids of its
// user.
func (f *Folder) Open(format string) (io.ReadCloser, error) {
	var file *os.File
	err := f.as(func() (err error) {
		file, err = kernel.FileAt(f.fd, format)
		return err
	})
	if refused := (*kernel.NotReadError)(nil); errors.As(err, &refused) {
		return nil, fmt.Errorf("%s: %s", f.Path(format), refused.Cause)
	}
	if err != nil {
		return nil, fmt.Errorf("the JVM has not written %s: %w", f.Path(format), err)
	}
	return file, nil
}

// Remove removes the folder and returns its path if that failed. A target that is still writing then writes to an
// unlinked file, or finds no folder.
func (f *Folder) Remove() (left []string) {
	defer func() { _ = f.Parent.Close() }()
	defer func() { _ = unix.Close(f.fd) }()
	if err := f.as(func() error { return removeFolder(int(f.Parent.Fd()), f.fd, f.name) }); err != nil {
		return []string{f.outside}
	}
	return nil
}

// Leave keeps the folder, for a target that will still write into it, and returns its path. A later run removes it.
func (f *Folder) Leave() (left []string) {
	_ = f.Parent.Close()
	_ = unix.Close(f.fd)
	return []string{f.outside}
}

// KeepUntil marks the folder for later runs with the time until which a recording may still be written to it.
func (f *Folder) KeepUntil(t time.Time) {
	times := []unix.Timespec{unix.NsecToTimespec(t.UnixNano()), unix.NsecToTimespec(t.UnixNano())}
	_ = f.as(func() error { return unix.UtimesNanoAt(f.fd, FormatJFC, times, unix.AT_SYMLINK_NOFOLLOW) })
}

// pending reports whether a recording may still be written to a folder: its file is empty, and its time is not over.
func pending(folder int) bool {
	var file, until unix.Stat_t
	isEmpty := unix.Fstatat(folder, FormatJFR, &file, unix.AT_SYMLINK_NOFOLLOW) == nil && file.Size == 0
	isTimed := unix.Fstatat(folder, FormatJFC, &until, unix.AT_SYMLINK_NOFOLLOW) == nil
	return isEmpty && isTimed && time.Now().Before(time.Unix(until.Mtim.Unix()))
}

// removeFolder removes a folder. It retries if the target has made a file meanwhile.
func removeFolder(parent, fd int, name string) error {
	var err error
	for range 5 {
		for _, format := range formats {
			_ = unix.Unlinkat(fd, format, 0)
		}
		err = unix.Unlinkat(parent, name, unix.AT_REMOVEDIR)
		if err == nil || errors.Is(err, unix.ENOENT) {
			return nil
		}
		time.Sleep(time.Millisecond)
	}
	return err
}

// Viewer is the process through whose root a folder is opened: the target, or jstall itself if the kernel does not show
// the target's folders and both have the same temporary folder.
func (l *Maker) Viewer(place string) int {
	if l.Process.SharesTemp && place == l.Process.TempDir {
		return os.Getpid()
	}
	return l.Process.PID
}

// ClearLeft removes what earlier runs have left in the JVM's temporary folder and its working directory: trigger files
// of JVMs that have ended since, and folders of runs that were killed.
func (l *Maker) ClearLeft(ctx context.Context) {
	var done os.FileInfo
	files := l.Kernel.Opener(l.Process.PID)
	defer files.Close()
	for _, place := range []string{l.Process.TempDir, "."} {
		dir, err := files.List(place)
		if err != nil {
			continue
		}
		if info, err := dir.Stat(); err == nil && !os.SameFile(done, info) {
			done = info
			l.clearIn(ctx, dir)
		}
		_ = dir.Close()
	}
}

// clearIn clears one folder. It lists the folder only once and in pieces, as some folders have very many files.
func (l *Maker) clearIn(ctx context.Context, dir *os.File) {
	const atOnce = 4096
	for {
		names, err := dir.Readdirnames(atOnce)
		_ = l.Clear(dir, names)
		for _, name := range names {
			if strings.HasPrefix(name, ".jstall-") {
				l.clearFolder(int(dir.Fd()), name)
			}
		}
		if err != nil || ctx.Err() != nil {
			return
		}
	}
}

// clearFolder removes a folder of jstall whose maker has ended.
func (l *Maker) clearFolder(parent int, name string) {
	var pid int
	var start, namespace uint64
	if _, err := fmt.Sscanf(name, FolderFormat, &pid, &start, &namespace); err != nil ||
		name != fmt.Sprintf(FolderFormat, pid, start, namespace) {
		return
	}
	clear := func() error {
		fd, err := kernel.FolderAt(parent, name)
		if err != nil {
			return err
		}
		defer func() { _ = unix.Close(fd) }()
		if !l.abandoned(fd, pid, start, namespace) || pending(fd) {
			return nil
		}
		return removeFolder(parent, fd, name)
	}
	if err := clear(); errors.Is(err, unix.EACCES) || errors.Is(err, unix.EPERM) {
		_ = l.AsTarget()(clear)
	}
}

func (l *Maker) abandoned(fd, pid int, start, namespace uint64) bool {
	if namespace == PidNamespace() {
		now, err := l.StartOf(pid)
		return err != nil || now != start
	}
	var st unix.Stat_t
	return unix.Fstat(fd, &st) == nil && time.Since(time.Unix(st.Mtim.Unix())) > OldFolder
}

// Write makes a file in the folder, with the ids of the target's user.
func (f *Folder) Write(name string, text []byte) error {
	var fd int
	err := f.as(func() (err error) {
		fd, err = unix.Openat(f.fd, name, unix.O_WRONLY|unix.O_CREAT|unix.O_EXCL|unix.O_NOFOLLOW|unix.O_CLOEXEC, 0o600)
		return err
	})
	if err != nil {
		return fmt.Errorf("cannot write %s: %w", f.Path(name), err)
	}
	file := os.NewFile(uintptr(fd), f.Path(name))
	_, err = file.Write(text)
	if closed := file.Close(); err == nil {
		err = closed
	}
	if err != nil {
		return fmt.Errorf("cannot write %s: %w", f.Path(name), source.Bare(err))
	}
	return nil
}

// MakerGone reports whether a folder's name is of a run of jstall that has ended.
func (l *Maker) MakerGone(name string) bool {
	var pid int
	var start, namespace uint64
	if _, err := fmt.Sscanf(name, FolderFormat, &pid, &start, &namespace); err != nil || namespace != PidNamespace() {
		return false
	}
	now, err := l.StartOf(pid)
	return err != nil || now != start
}

// FreeOf is the space that users may still fill on a disk, in bytes.
func FreeOf(disk unix.Statfs_t) int64 { return int64(min(disk.Bavail, 1<<40) * uint64(disk.Bsize)) }

// Has reports whether the file of a format exists.
func (f *Folder) Has(format string) bool {
	there := false
	_ = f.as(func() error {
		there = kernel.ExistsAt(f.fd, format)
		return nil
	})
	return there
}

// Log is the content of async-profiler's log.
func (f *Folder) Log() string {
	file, err := f.Open(FormatLog)
	if err != nil {
		return ""
	}
	defer func() { _ = file.Close() }()
	text, _ := io.ReadAll(io.LimitReader(file, maxLog))
	return strings.ToValidUTF8(string(text), "\uFFFD")
}

// ForbidsCode reports whether the folder is on a disk that is mounted with noexec.
func (f *Folder) ForbidsCode() bool {
	var disk unix.Statfs_t
	return unix.Fstatfs(int(f.Parent.Fd()), &disk) == nil && disk.Flags&unix.ST_NOEXEC != 0
}
