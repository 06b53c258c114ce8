package attach

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/sys/unix"
)

// folder is a directory of the target, open by descriptor: what it stands for
// does not depend on anyone's mount namespace, root, or path length.
type folder struct {
	fd int
	// through is its path under /proc/PID.
	through string
}

// folders are the two that HotSpot looks into for the trigger file, in its
// order. The socket is in temp. cwd may be missing: fd -1.
type folders struct {
	cwd, temp folder
}

func (f folders) close() {
	_ = unix.Close(f.temp.fd)
	if f.cwd.fd >= 0 {
		_ = unix.Close(f.cwd.fd)
	}
}

func (f folders) both() []folder {
	if f.cwd.fd < 0 {
		return []folder{f.temp}
	}
	return []folder{f.cwd, f.temp}
}

// openFolders opens the target's folders as the target would.
func (s *process) openFolders() (folders, *Error) {
	temp, err := s.proc.OpenFolder(s.PID, s.TempDir)
	if errors.Is(err, fs.ErrPermission) && s.restricted() {
		temp, err = s.ourTemp()
	}
	if err != nil {
		return folders{}, s.folderError(err)
	}
	cwd, err := s.proc.OpenFolder(s.PID, ".")
	if err == nil && passing(cwd) {
		_ = unix.Close(cwd)
		err = fs.ErrNotExist
	}
	if err != nil {
		cwd = -1
	}
	return folders{
		cwd:  folder{cwd, s.proc.Path(s.PID, "cwd")},
		temp: folder{temp, s.proc.Path(s.PID, "root", s.TempDir)},
	}, nil
}

// passing reports whether a working directory is one that HotSpot only passes
// through: while it starts it goes to the folder of its counters to delete what
// it finds there (open_directory_secure_cwd in perfMemory_posix.cpp), and catches
// SIGQUIT already. A trigger file there would be deleted and not be found.
func passing(cwd int) bool {
	link, err := os.Readlink(own(cwd))
	return err == nil && strings.HasPrefix(filepath.Base(link), "hsperfdata_")
}

// visible is the path of a file in the folder as we see it: the plain one where
// we share the target's mount namespace, else one through /proc/PID.
func (f folder) visible(name string) string {
	link, err := os.Readlink(own(f.fd))
	if err != nil || !sameFile(f.fd, link) {
		link = f.through
	}
	return filepath.Join(link, name)
}

func sameFile(fd int, path string) bool {
	var a, b unix.Stat_t
	return unix.Fstat(fd, &a) == nil && unix.Stat(path, &b) == nil && a.Dev == b.Dev && a.Ino == b.Ino
}

// owner is the uid that a file in the folder belongs to.
func (f folder) owner(name string) (uid uint32, ok bool) {
	var st unix.Stat_t
	err := unix.Fstatat(f.fd, name, &st, unix.AT_SYMLINK_NOFOLLOW)
	return st.Uid, err == nil
}

// own is the path of one of our descriptors. It is short: sun_path has room for
// 108 bytes only, and the target's own path may be longer.
func own(fd int) string { return fmt.Sprintf("/proc/self/fd/%d", fd) }

// writable returns nil if the folder can take a file of the caller's ids.
func (f folder) writable() error {
	err := unix.Faccessat(f.fd, ".", unix.W_OK|unix.X_OK, unix.AT_EACCESS)
	if err != nil {
		return fmt.Errorf("%s: %w", f.through, err)
	}
	return nil
}

func (s *process) folderError(err error) *Error {
	if s.gone() {
		return s.died(PhaseConnect, err)
	}
	e := &Error{Phase: PhaseConnect, PID: s.PID, Err: err, Code: CodeTriggerFile,
		Cause:  fmt.Sprintf("the folder of its socket, %s, cannot be opened", s.TempDir),
		Remedy: fmt.Sprintf("ls -ld %s", s.proc.Path(s.PID, "root", s.TempDir))}
	if errors.Is(err, fs.ErrPermission) {
		e.Code, e.Remedy = CodePermission, s.seeInside()
	}
	return e
}
