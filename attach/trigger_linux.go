package attach

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"golang.org/x/sys/unix"
)

// left is a trigger file that was there already.
type left struct {
	mark   mark
	marked bool // one of us wrote it
	uid    uint32
	since  time.Time
}

// errHostile means that what has the trigger's name is not one.
var errHostile = errors.New("it is not a plain file")

// inspect reads the file of that name, if there is one. It follows no link and
// waits for no pipe.
func (f folder) inspect(name string) (left, error) {
	fd, err := unix.Openat(f.fd, name, unix.O_RDONLY|unix.O_NOFOLLOW|unix.O_NONBLOCK|unix.O_CLOEXEC, 0)
	if errors.Is(err, unix.ELOOP) {
		return left{}, errHostile
	}
	if err != nil {
		return left{}, err
	}
	file := os.NewFile(uintptr(fd), name)
	defer func() { _ = file.Close() }()
	var st unix.Stat_t
	if err := unix.Fstat(fd, &st); err != nil {
		return left{}, err
	}
	if st.Mode&unix.S_IFMT != unix.S_IFREG {
		return left{}, errHostile
	}
	l := left{uid: st.Uid, since: time.Unix(st.Mtim.Unix())}
	text := make([]byte, 2*len(markFormat))
	n, _ := file.Read(text)
	l.mark, l.marked = parseMark(text[:n])
	return l, nil
}

// create makes the trigger file, owned by uid, which must be new.
func (f folder) create(name string, m mark, uid uint32) error {
	const flags = unix.O_WRONLY | unix.O_CREAT | unix.O_EXCL | unix.O_NOFOLLOW | unix.O_CLOEXEC
	fd, err := unix.Openat(f.fd, name, flags, 0o600)
	if err != nil {
		return err
	}
	file := os.NewFile(uintptr(fd), name)
	defer func() { _ = file.Close() }()
	var st unix.Stat_t
	_, err = file.WriteString(m.text())
	if err == nil {
		err = unix.Fstat(fd, &st)
	}
	if err == nil && st.Uid != uid {
		err = fmt.Errorf("this file system gives it to uid %d", st.Uid)
	}
	if err != nil {
		_ = f.remove(name)
	}
	return err
}

// replace puts a trigger file of ours in the place of one that is there. At no
// moment is it missing: its JVM may look for it just then.
func (f folder) replace(name string, m mark, uid uint32) error {
	fresh := fmt.Sprintf("%s.%d", name, os.Getpid())
	_ = f.remove(fresh)
	if err := f.create(fresh, m, uid); err != nil {
		return err
	}
	err := unix.Renameat(f.fd, fresh, f.fd, name)
	if err != nil {
		_ = f.remove(fresh)
	}
	return err
}

func (f folder) remove(name string) error { return unix.Unlinkat(f.fd, name, 0) }

// sweep removes the trigger files that we or an earlier run left for the target.
func (f folders) sweep(name string, m mark) {
	for _, dir := range f.both() {
		if l, err := dir.inspect(name); err == nil && l.marked && l.mark == m {
			_ = dir.remove(name)
		}
	}
}

// stillThere names the trigger file that an earlier run had to leave for the target
// and that its JVM has not answered yet.
func (s *process) stillThere() []string {
	if s.NSPID == 0 || !s.ours && s.client.RunAs == nil || s.gone() {
		return nil
	}
	f, e := s.openFolders()
	if e != nil {
		return nil
	}
	defer f.close()
	name := triggerName(s.NSPID)
	for _, dir := range f.both() {
		if l, err := dir.inspect(name); err == nil && l.marked && l.mark == s.mark() {
			return []string{dir.visible(name)}
		}
	}
	return nil
}

// ClearLeft removes, of the named files of an open folder such as "/tmp", the trigger
// files that earlier runs had to leave for JVMs that have ended since, and returns
// their paths. Those for a JVM that still runs are the business of its next Execute.
func (c *Client) ClearLeft(dir *os.File, names []string) []string {
	var cleared []string
	f := folder{int(dir.Fd()), dir.Name()}
	for _, name := range names {
		if strings.HasPrefix(name, ".attach_pid") && c.clear(f, name) {
			cleared = append(cleared, f.visible(name))
		}
	}
	return cleared
}

func (c *Client) clear(f folder, name string) bool {
	l, err := f.inspect(name)
	if err != nil || !l.marked || l.mark.namespace != pidNamespace() {
		return false
	}
	s := c.process(Target{PID: l.mark.pid, StartTime: l.mark.start})
	return s.gone() && f.remove(name) == nil
}

// pidNamespace is the inode of the pid namespace that we are in, 0 if unknown.
func pidNamespace() uint64 {
	var st unix.Stat_t
	if unix.Stat("/proc/self/ns/pid", &st) != nil {
		return 0
	}
	return st.Ino
}

func (s *process) mark() mark {
	return mark{namespace: pidNamespace(), identity: identity{s.PID, s.StartTime}}
}
