package kernel

import (
	"bytes"
	"errors"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"
)

const (
	// mostLinks are the symbolic links that the kernel follows on one way, MAXSYMLINKS.
	mostLinks = 40
	// deepest bounds the folders that are open at a time.
	deepest = 200
)

// node is a file that a walk has reached, open with O_PATH: to hold it so neither reads
// it nor asks a server for it.
type node struct {
	fd       int
	mode     uint32
	uid, gid uint32
	inode    uint64
	mount    mountKey
}

func (n node) is(kind uint32) bool { return n.mode&unix.S_IFMT == kind }

func (n node) same(m node) bool {
	return n.inode == m.inode && n.mount.major == m.mount.major && n.mount.minor == m.mount.minor
}

// nodeOf describes an open file by what the kernel has of it in memory.
func nodeOf(fd int) (node, error) {
	var st unix.Statx_t
	const want = unix.STATX_TYPE | unix.STATX_MODE | unix.STATX_UID | unix.STATX_GID |
		unix.STATX_INO | unix.STATX_MNT_ID
	err := unix.Statx(fd, "", unix.AT_EMPTY_PATH|unix.AT_STATX_DONT_SYNC, want, &st)
	if errors.Is(err, unix.ENOSYS) || errors.Is(err, unix.EPERM) { // before Linux 4.11, or filtered
		return oldNodeOf(fd)
	}
	n := node{fd: fd, mode: uint32(st.Mode), uid: st.Uid, gid: st.Gid, inode: st.Ino,
		mount: mountKey{st.Mnt_id, st.Dev_major, st.Dev_minor}}
	if err == nil && st.Mask&unix.STATX_MNT_ID == 0 { // before Linux 5.8
		n.mount.id, err = mountID(fd)
	}
	return n, err
}

func oldNodeOf(fd int) (node, error) {
	var st unix.Stat_t
	if err := unix.Fstat(fd, &st); err != nil {
		return node{}, err
	}
	id, err := mountID(fd)
	dev := uint64(st.Dev)
	return node{fd: fd, mode: st.Mode, uid: st.Uid, gid: st.Gid, inode: st.Ino,
		mount: mountKey{id, unix.Major(dev), unix.Minor(dev)}}, err
}

// mountID reads the id of the mount that one of our open files is on.
func mountID(fd int) (uint64, error) {
	text, err := readFile("/proc/self/fdinfo/" + strconv.Itoa(fd))
	if err != nil {
		return 0, err
	}
	for line := range bytes.Lines(text) {
		if value, ok := bytes.CutPrefix(line, []byte("mnt_id:")); ok {
			return strconv.ParseUint(string(bytes.TrimSpace(value)), 10, 64)
		}
	}
	return 0, unix.ENODATA
}

// walk goes along a path part by part, as a process would that has root as its root.
//
// openat2 with RESOLVE_IN_ROOT follows the same rules, and TestWalkAgreesWithOpenat2 holds
// us to them. But openat2 asks the server of every mount that a link leads to before
// anything can be said of that mount, gives EAGAIN for as long as somebody renames folders,
// and does not exist before Linux 5.6. A walk never opens "..": it goes back to the folder
// it came from, which is open, so nothing that is renamed meanwhile leads it out of root.
type walk struct {
	// root is where absolute links begin, base what ".." never leaves: root, or the
	// working directory of a process where that is not under its root.
	root, base node
	// from is where a path begins that is not absolute, as a path from base; empty: at base.
	from string
	// enter is asked about each file before anything is looked up in it or read of it.
	enter func(node) error
	// opened are the open folders below base.
	opened []node
	todo   []string
	links  int
}

// resolve returns the file at path, open with O_PATH. It is neither root nor base but a
// copy of them, and the caller's to close.
func (w *walk) resolve(path string) (found node, err error) {
	switch {
	case path == "":
		return node{}, unix.ENOENT
	case len(path) >= unix.PathMax:
		return node{}, unix.ENAMETOOLONG
	}
	defer func() {
		for _, n := range w.opened {
			_ = unix.Close(n.fd)
		}
	}()
	w.push(path)
	if w.from != "" && path[0] != '/' {
		w.push(w.from)
	}
	if err := w.enter(w.base); err != nil {
		return node{}, err
	}
	for len(w.todo) > 0 {
		part := w.todo[0]
		w.todo = w.todo[1:]
		if err := w.step(part); err != nil {
			return node{}, err
		}
	}
	at := w.at()
	fd, err := unix.FcntlInt(uintptr(at.fd), unix.F_DUPFD_CLOEXEC, 0)
	at.fd = fd
	return at, err
}

// at is where the walk is.
func (w *walk) at() node {
	if n := len(w.opened); n > 0 {
		return w.opened[n-1]
	}
	return w.base
}

// push puts the parts of a path before what is still to walk. A slash at the end asks for
// a folder, as "." does.
func (w *walk) push(path string) {
	if strings.HasPrefix(path, "/") {
		w.back(len(w.opened))
		w.base = w.root
	}
	parts := strings.Split(path, "/")
	if parts[len(parts)-1] == "" {
		parts[len(parts)-1] = "."
	}
	w.todo = append(slices.DeleteFunc(parts, func(p string) bool { return p == "" }), w.todo...)
}

func (w *walk) back(n int) {
	for range n {
		_ = unix.Close(w.at().fd)
		w.opened = w.opened[:len(w.opened)-1]
	}
}

func (w *walk) step(part string) error {
	at := w.at()
	if !at.is(unix.S_IFDIR) {
		return unix.ENOTDIR
	}
	switch {
	case part == ".":
		return nil
	case part == ".." && len(w.opened) > 0:
		w.back(1)
		return nil
	case part == ".." && w.base.fd == w.root.fd:
		return nil
	case part == "..":
		return unix.EXDEV
	case len(w.opened) == deepest:
		return unix.ENAMETOOLONG
	}
	fd, err := retry(func() (int, error) {
		return unix.Openat(at.fd, part, unix.O_PATH|unix.O_NOFOLLOW|unix.O_CLOEXEC, 0)
	})
	if err != nil {
		return err
	}
	return w.arrive(fd)
}

// arrive goes on from a file that was just opened: into it, or along a link.
func (w *walk) arrive(fd int) error {
	n, err := nodeOf(fd)
	if err == nil {
		err = w.enter(n)
	}
	if err == nil && !n.is(unix.S_IFLNK) {
		w.opened = append(w.opened, n)
		return nil
	}
	defer func() { _ = unix.Close(fd) }()
	if err != nil {
		return err
	}
	if w.links++; w.links > mostLinks {
		return unix.ELOOP
	}
	text := make([]byte, unix.PathMax)
	length, err := unix.Readlinkat(fd, "", text)
	switch {
	case err != nil:
		return err
	case length == 0 || length == len(text):
		return unix.ENOENT
	}
	w.push(string(text[:length]))
	return nil
}
