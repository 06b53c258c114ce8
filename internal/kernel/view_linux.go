package kernel

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"
)

// view is the files that a process sees.
type view struct {
	r   *Reader
	pid int
	// root is the process's, unless refused is why it could not be opened; so with cwd.
	root, cwd         node
	refused, noFolder error
	// judge is whom the mode bits must let in; nil: the kernel decides.
	judge *Status
	// inRoot is the path of cwd from root, once placed; empty if it is not below that.
	inRoot string
	placed bool
	// entered are the mounts that were judged, by id.
	entered map[uint64]error
}

// errMount is why nothing is opened on a mount.
type errMount string

func (e errMount) Error() string { return string(e) }

const notRegular = "not a regular file"

const openAnchor = unix.O_PATH | unix.O_DIRECTORY | unix.O_CLOEXEC

// anchor opens root and working directory.
func (v *view) anchor() {
	v.entered = map[uint64]error{}
	v.close()
	v.root, v.refused = v.anchorAt("root")
	v.cwd, v.noFolder = v.anchorAt("cwd")
}

func (v *view) anchorAt(name string) (node, error) {
	path := v.r.Path(v.pid, name)
	fd, err := retry(func() (int, error) { return unix.Open(path, openAnchor, 0) })
	if err != nil {
		return node{}, &os.PathError{Op: "open", Path: path, Err: gone(err)}
	}
	n, err := nodeOf(fd)
	if err != nil {
		_ = unix.Close(fd)
		return node{}, err
	}
	return n, nil
}

func (v *view) close() {
	for _, n := range []node{v.root, v.cwd} {
		if n.inode != 0 {
			_ = unix.Close(n.fd)
		}
	}
}

// find returns the file at path, which must be of a kind such as S_IFREG.
func (v *view) find(path string, kind uint32) (node, error) {
	if v.refused != nil {
		return node{}, v.refused
	}
	w := walk{root: v.root, base: v.root, enter: v.enter}
	if !strings.HasPrefix(path, "/") {
		v.place()
		if v.noFolder != nil {
			return node{}, v.noFolder
		}
		if w.from = v.inRoot; w.from == "" {
			w.base = v.cwd
		}
	}
	n, err := w.resolve(path)
	if err != nil {
		return node{}, v.named(path, err)
	}
	if err = v.fits(n, kind); err != nil {
		_ = unix.Close(n.fd)
		return node{}, v.named(path, err)
	}
	return n, nil
}

// folder returns the folder at path, for files that are to be made or removed there. So a
// relative path must begin below the root, too.
func (v *view) folder(path string) (node, error) {
	n, err := v.find(path, unix.S_IFDIR)
	if err == nil && !strings.HasPrefix(path, "/") && v.inRoot == "" {
		_ = unix.Close(n.fd)
		return node{}, &NotReadError{path, "the working directory is not below the root of the process"}
	}
	return n, err
}

// fits reports whether a file that was found is one to open.
func (v *view) fits(n node, kind uint32) error {
	switch {
	case !n.is(kind) && kind == unix.S_IFDIR:
		return unix.ENOTDIR
	case !n.is(kind):
		return errMount(notRegular)
	}
	fstype, err := typeOf(n.fd) // for a mount that came after we asked
	if err != nil {
		return err
	}
	return v.mayUse(n, fstype)
}

// named puts the path to an error.
func (v *view) named(path string, err error) error {
	if why := errMount(""); errors.As(err, &why) {
		return &NotReadError{path, string(why)}
	}
	return &os.PathError{Op: "open", Path: v.r.inside(v.pid, path), Err: gone(err)}
}

// enter judges a file on the way: its mount, and where we cannot be the process whether
// that may look into the folder.
func (v *view) enter(n node) error {
	err, known := v.entered[n.mount.id]
	if !known {
		err = v.judgeMount(n)
		v.entered[n.mount.id] = err
	}
	if err == nil && n.is(unix.S_IFDIR) && !v.lets(n, modeSearch) {
		err = fs.ErrPermission
	}
	return err
}

func (v *view) judgeMount(n node) (err error) {
	fstype := v.r.mountType(v.pid, n.mount)
	if fstype == "" {
		if fstype, err = typeOf(n.fd); err != nil {
			return err
		}
	}
	return v.mayUse(n, fstype)
}

// mayUse judges a mount by its type. The mount of the process's root may be one of a server:
// containers of some kinds have no other, and the process needs it itself.
func (v *view) mayUse(n node, fstype string) error {
	switch {
	case madeTypes[fstype]:
		return errMount(fmt.Sprintf("on a file system (%s) that the kernel makes up", fstype))
	case isSlow(fstype) && n.mount.id != v.root.mount.id:
		return errMount(fmt.Sprintf("on a file system (%s) whose server may hang", fstype))
	}
	return nil
}

const (
	modeRead   = 4
	modeSearch = 1
)

// lets reports whether the mode bits of a file let the process in, where they decide.
func (v *view) lets(n node, want uint32) bool {
	return v.judge == nil || v.judge.passes(n, want)
}

func (s Status) passes(n node, want uint32) bool {
	switch {
	case n.uid == s.UID.FS:
		want <<= 6
	case n.gid == s.GID.FS || slices.Contains(s.Groups, n.gid):
		want <<= 3
	}
	return n.mode&want == want
}

// place finds the working directory's path from the root, if it lies below that.
func (v *view) place() {
	if v.placed || v.noFolder != nil {
		return
	}
	v.placed = true
	root, err := os.Readlink(v.r.Path(v.pid, "root"))
	cwd, err2 := os.Readlink(v.r.Path(v.pid, "cwd"))
	inside, below := strings.CutPrefix(cwd, strings.TrimRight(root, "/"))
	if err != nil || err2 != nil || !below || !strings.HasPrefix(inside, "/") {
		return
	}
	w := walk{root: v.root, base: v.root, enter: v.enter}
	n, err := w.resolve(inside)
	if err != nil {
		return
	}
	defer func() { _ = unix.Close(n.fd) }()
	if n.same(v.cwd) {
		v.inRoot = inside
	}
}

// open opens a regular file.
func (v *view) open(path string) (*os.File, error) {
	n, err := v.find(path, unix.S_IFREG)
	if err != nil {
		return nil, err
	}
	return v.reopen(n, path, 0)
}

// reopen opens a file that was found for reading, and lets go of the node.
func (v *view) reopen(n node, path string, flags int) (*os.File, error) {
	defer func() { _ = unix.Close(n.fd) }()
	if !v.lets(n, modeRead) {
		return nil, v.named(path, fs.ErrPermission)
	}
	fd, err := n.reopen(flags)
	if err != nil {
		return nil, v.named(path, err)
	}
	return os.NewFile(uintptr(fd), v.r.inside(v.pid, path)), nil
}

func (n node) reopen(flags int) (int, error) {
	flags |= unix.O_RDONLY | unix.O_NONBLOCK | unix.O_NOCTTY | unix.O_CLOEXEC
	return retry(func() (int, error) { return unix.Open("/proc/self/fd/"+strconv.Itoa(n.fd), flags, 0) })
}

// mapped opens the file behind a link of map_files.
func (v *view) mapped(path string) (*os.File, error) {
	fd, err := retry(func() (int, error) { return unix.Open(path, unix.O_PATH|unix.O_CLOEXEC, 0) })
	if err != nil {
		return nil, &os.PathError{Op: "open", Path: path, Err: gone(err)}
	}
	n, err := nodeOf(fd)
	if err == nil {
		err = v.judgeMount(n)
	}
	if err == nil {
		err = v.fits(n, unix.S_IFREG)
	}
	if err != nil {
		_ = unix.Close(fd)
		return nil, v.named(path, err)
	}
	return v.reopen(n, path, 0)
}
