package attach

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"time"

	"golang.org/x/sys/unix"
)

// defaultTemp is where HotSpot puts its socket.
const defaultTemp = "/tmp"

// subject is the target of one Execute.
type subject struct {
	Target
	client *Client
	status status // as last read
	// ours tells to ask with our own ids: they fit, or the JVM takes root's.
	ours      bool
	triggered bool // SIGQUIT was sent
	asked     bool // the whole command was sent
	sent      []Sent
	// listening is true if the target's socket is there, so if it need not be woken.
	listening bool
}

func (c *Client) subject(t Target) *subject {
	t.TempDir = cmp.Or(t.TempDir, defaultTemp)
	return &subject{Target: t, client: c, ours: true}
}

// as runs f with the ids that the target accepts.
func (s *subject) as(f func() error) error {
	if s.ours {
		return f()
	}
	return s.client.RunAs(s.UID, s.GID, s.Groups, f)
}

// read returns /proc/PID/name, with the target's ids where ours are refused: root
// without CAP_SYS_PTRACE, the default in containers, may not see another user's maps.
func (s *subject) read(name string) ([]byte, error) {
	b, err := s.client.Proc.ReadFile(s.PID, name)
	if !errors.Is(err, fs.ErrPermission) || s.ours {
		return b, err
	}
	err = s.as(func() (err error) {
		b, err = s.client.Proc.ReadFile(s.PID, name)
		return err
	})
	return b, err
}

// refresh reads the target's state anew. The error is fs.ErrNotExist or ESRCH if
// there is no such process.
func (s *subject) refresh() (start uint64, err error) {
	// the main thread's: for the process's own the kernel adds up the times of
	// all its threads, 0.5 ms for 5,000
	stat, err := s.client.Proc.ReadFile(s.PID, fmt.Sprintf("task/%d/stat", s.PID))
	if err != nil {
		return 0, err
	}
	text, err := s.client.Proc.ReadFile(s.PID, "status")
	if err != nil {
		return 0, err
	}
	if s.status, err = parseStatus(text); err != nil {
		return 0, err
	}
	return parseStartTime(stat)
}

// gone reports whether the target has ended, or its id is another process's by now.
func (s *subject) gone() bool {
	start, err := s.refresh()
	if absent(err) {
		return true
	}
	return err == nil && (start != s.StartTime || s.ended())
}

// hidden tells of a process of which /proc shows nothing that it is there.
func (s *subject) hidden() bool {
	return s.client.Proc.Path(s.PID) == fmt.Sprintf("/proc/%d", s.PID) && errors.Is(unix.Kill(s.PID, 0), unix.EPERM)
}

func (s *subject) ended() bool {
	return s.status.letter() == 'Z' || s.status.letter() == 'X'
}

// goneSoon is gone for a target whose socket closed: a process that is being
// killed closes its files some milliseconds before it is a zombie.
func (s *subject) goneSoon() bool {
	for range 25 {
		if s.gone() {
			return true
		}
		time.Sleep(2 * time.Millisecond)
	}
	return false
}

// age is how long the target has been running.
func (s *subject) age() time.Duration {
	var now unix.Timespec
	if unix.ClockGettime(unix.CLOCK_BOOTTIME, &now) != nil {
		return time.Hour
	}
	const tick = time.Second / 100 // USER_HZ, the same on every architecture
	return time.Duration(now.Nano()) - time.Duration(s.StartTime)*tick
}

// frozen reports whether the target's cgroup is frozen, as by "docker pause". The
// state of its threads does not say so: it is D in version 1 and S in version 2.
func (s *subject) frozen() bool {
	cgroups, err := s.client.Proc.ReadFile(s.PID, "cgroup")
	if err != nil {
		return false
	}
	for _, f := range freezerFiles(cgroups) {
		text, err := os.ReadFile(f.path)
		if err == nil && bytes.Contains(text, []byte(f.frozen)) {
			return true
		}
	}
	return false
}

// listens reports whether the JVM has started its attach listener at some time.
func (s *subject) listens() bool { return s.hasThread("Attach Listener") }

// started reports whether the JVM has come past the removal of a dead socket under
// its name (AttachListener::vm_start), which would take a fresh one away too, and
// past the point where it catches SIGQUIT if it ever does. The service thread is
// started soon afterwards, on 8 to 28.
func (s *subject) started() bool { return s.hasThread("Service Thread") }

func (s *subject) hasThread(name string) bool {
	tasks, err := os.ReadDir(s.client.Proc.Path(s.PID, "task"))
	if err != nil {
		return false
	}
	for _, t := range tasks {
		comm, err := s.client.Proc.ReadFile(s.PID, "task/"+t.Name()+"/comm")
		if err == nil && string(bytes.TrimSpace(comm)) == name {
			return true
		}
	}
	return false
}

func absent(err error) bool {
	return errors.Is(err, fs.ErrNotExist) || errors.Is(err, unix.ESRCH)
}
