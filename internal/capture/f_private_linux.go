package capture

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

// privateFolder is a new folder that only the target's user can look into, for a
// file that the target writes. It is held by descriptors, so that it can be removed
// whatever becomes of the target and of the paths to it.
type privateFolder struct {
	parent *os.File
	fd     int
	name   string
	// inside is its path as the target sees it, outside as we do.
	inside, outside string
	as              func(func() error) error
}

// folderFormat names a folder after us: our pid, when we started, and the pid
// namespace that both are meant in, so that a later run can tell that we are gone.
const folderFormat = ".jstall-%d-%d-%d"

// formats are the files that may be in a folder, each named after its format.
var formats = [...]string{formatJSON, formatPlain, formatJFR, formatJFC, formatLog, asyncCopy}

// leastRoom is how much room the target's disk must have: more than the file of
// 150,000 virtual threads with deep stacks.
const leastRoom = 256 << 20

// oldFolder is how old a folder of another pid namespace is when nobody can be
// writing to it any more.
const oldFolder = time.Hour

// privateFolder makes one where the JVM has its socket, or else in its working
// directory.
func (l *folders) privateFolder() (*privateFolder, error) {
	var errs []error
	for _, place := range l.places() {
		folder, err := l.makeFolder(place)
		if err == nil {
			return folder, nil
		}
		errs = append(errs, fmt.Errorf("%s: %w", place, source.Bare(err)))
	}
	return nil, fmt.Errorf("the JVM has no folder to write them to: %w", errors.Join(errs...))
}

// places are paths as the target sees them.
func (l *folders) places() []string {
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

func (l *folders) makeFolder(place string) (*privateFolder, error) {
	if strings.ContainsAny(place, " \t\n\"'%") {
		return nil, errors.New("its name cannot be passed on") // to the parser of diagnostic commands
	}
	name, err := l.folderName()
	if err != nil {
		return nil, err
	}
	f := &privateFolder{as: l.asTarget(), name: name, inside: filepath.Join(place, name)}
	f.outside = l.Kernel.Path(l.Process.PID, "root", f.inside)
	files := l.Kernel.Opener(l.viewer(place))
	defer files.Close()
	if f.parent, err = files.Folder(place); err != nil {
		return nil, err
	}
	if err := f.make(); err != nil {
		_ = f.parent.Close()
		return nil, err
	}
	return f, nil
}

// asTarget runs with the ids of the target's user.
func (l *folders) asTarget() func(func() error) error {
	p := l.Process
	if uint32(os.Geteuid()) == p.UID {
		return func(f func() error) error { return f() }
	}
	return func(f func() error) error { return kernel.RunAs(p.UID, p.GID, p.Groups, f) }
}

func (l *folders) folderName() (string, error) {
	pid := os.Getpid()
	start, err := l.startOf(pid)
	return fmt.Sprintf(folderFormat, pid, start, pidNamespace()), err
}

func (l *folders) startOf(pid int) (uint64, error) {
	text, err := l.Kernel.ReadFile(pid, "stat")
	if err != nil {
		return 0, err
	}
	stat, err := kernel.ParseStat(text)
	return stat.StartTime, err
}

// pidNamespace is the inode of our own pid namespace, 0 if it cannot be told.
func pidNamespace() uint64 {
	var st unix.Stat_t
	if unix.Stat("/proc/self/ns/pid", &st) != nil {
		return 0
	}
	return st.Ino
}

func (f *privateFolder) make() error {
	var disk unix.Statfs_t
	if err := unix.Fstatfs(int(f.parent.Fd()), &disk); err == nil && disk.Blocks > 0 && freeOf(disk) < leastRoom {
		return fmt.Errorf("%d MB are free, and %d MB are needed", freeOf(disk)>>20, leastRoom>>20)
	}
	return f.as(func() error {
		if err := unix.Mkdirat(int(f.parent.Fd()), f.name, 0o700); err != nil {
			return err
		}
		fd, err := kernel.FolderAt(int(f.parent.Fd()), f.name)
		if err != nil {
			_ = unix.Unlinkat(int(f.parent.Fd()), f.name, unix.AT_REMOVEDIR)
		}
		f.fd = fd
		return err
	})
}

// path is where the target shall write the file of a format.
func (f *privateFolder) path(format string) string { return filepath.Join(f.inside, format) }

// open opens the file of a format. The folder is the target's: nothing but a plain
// file is read, and with its user's ids.
func (f *privateFolder) open(format string) (io.ReadCloser, error) {
	var file *os.File
	err := f.as(func() (err error) {
		file, err = kernel.FileAt(f.fd, format)
		return err
	})
	if refused := (*kernel.NotReadError)(nil); errors.As(err, &refused) {
		return nil, fmt.Errorf("%s: %s", f.path(format), refused.Cause)
	}
	if err != nil {
		return nil, fmt.Errorf("the JVM has not written %s: %w", f.path(format), err)
	}
	return file, nil
}

// remove takes the folder away and returns its path if it could not. A target that
// still writes goes on with a file that has no name any more, or finds no folder.
func (f *privateFolder) remove() (left []string) {
	defer func() { _ = f.parent.Close() }()
	defer func() { _ = unix.Close(f.fd) }()
	if err := f.as(func() error { return removeFolder(int(f.parent.Fd()), f.fd, f.name) }); err != nil {
		return []string{f.outside}
	}
	return nil
}

// leave lets the folder be, for a target that is still to write into it, and returns its
// path. A later run removes it.
func (f *privateFolder) leave() (left []string) {
	_ = f.parent.Close()
	_ = unix.Close(f.fd)
	return []string{f.outside}
}

// keepUntil tells later runs until when a recording may still be written to the folder.
func (f *privateFolder) keepUntil(t time.Time) {
	times := []unix.Timespec{unix.NsecToTimespec(t.UnixNano()), unix.NsecToTimespec(t.UnixNano())}
	_ = f.as(func() error { return unix.UtimesNanoAt(f.fd, formatJFC, times, unix.AT_SYMLINK_NOFOLLOW) })
}

// pending reports that a recording is still to be written to a folder: its file is empty, and
// its time is not over.
func pending(folder int) bool {
	var file, until unix.Stat_t
	isEmpty := unix.Fstatat(folder, formatJFR, &file, unix.AT_SYMLINK_NOFOLLOW) == nil && file.Size == 0
	isTimed := unix.Fstatat(folder, formatJFC, &until, unix.AT_SYMLINK_NOFOLLOW) == nil
	return isEmpty && isTimed && time.Now().Before(time.Unix(until.Mtim.Unix()))
}

// removeFolder tries again where the target has made a file in between.
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

// viewer is the process as which a folder is opened: the target, or ourselves where the kernel
// does not show the target's folders and the temporary one is ours too.
func (l *folders) viewer(place string) int {
	if l.Process.SharesTemp && place == l.Process.TempDir {
		return os.Getpid()
	}
	return l.Process.PID
}

// clearLeft removes what earlier runs have left where ours would leave it, in the
// JVM's temporary folder and its working directory: trigger files for JVMs that have
// ended since, and folders of runs that were killed.
func (l *folders) clearLeft(ctx context.Context) {
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

// clearIn clears one folder. It is listed once and bit by bit, as some hold a great many
// files.
func (l *folders) clearIn(ctx context.Context, dir *os.File) {
	const atOnce = 4096
	for {
		names, err := dir.Readdirnames(atOnce)
		_ = l.clear(dir, names)
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

// clearFolder removes a folder of ours whose maker is gone.
func (l *folders) clearFolder(parent int, name string) {
	var pid int
	var start, namespace uint64
	if _, err := fmt.Sscanf(name, folderFormat, &pid, &start, &namespace); err != nil ||
		name != fmt.Sprintf(folderFormat, pid, start, namespace) {
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
		_ = l.asTarget()(clear)
	}
}

func (l *folders) abandoned(fd, pid int, start, namespace uint64) bool {
	if namespace == pidNamespace() {
		now, err := l.startOf(pid)
		return err != nil || now != start
	}
	var st unix.Stat_t
	return unix.Fstat(fd, &st) == nil && time.Since(time.Unix(st.Mtim.Unix())) > oldFolder
}

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
func (l *folders) makerGone(name string) bool {
	var pid int
	var start, namespace uint64
	if _, err := fmt.Sscanf(name, folderFormat, &pid, &start, &namespace); err != nil || namespace != pidNamespace() {
		return false
	}
	now, err := l.startOf(pid)
	return err != nil || now != start
}

// freeOf is what users may write to a disk, in bytes.
func freeOf(disk unix.Statfs_t) int64 { return int64(min(disk.Bavail, 1<<40) * uint64(disk.Bsize)) }

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
