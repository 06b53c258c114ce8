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

// process is a target as /proc shows it, and the ids with which it may be asked.
type process struct {
	Target
	client *Client
	proc   Proc
	status status // as last read
	// ours is true if our own ids are those to ask with: they fit, or the JVM accepts root's.
	ours bool
}

func (c *Client) process(t Target) process {
	t.TempDir = cmp.Or(t.TempDir, defaultTemp)
	return process{Target: t, client: c, proc: c.proc(), ours: true}
}

// as runs f with the ids that the target accepts.
func (s *process) as(f func() error) error {
	if s.ours {
		return f()
	}
	return s.client.RunAs(s.UID, s.GID, s.Groups, f)
}

// read returns /proc/PID/name, with the target's ids where ours are refused: root
// without CAP_SYS_PTRACE, the default in containers, may not see another user's maps.
func (s *process) read(name string) ([]byte, error) {
	b, err := s.proc.ReadFile(s.PID, name)
	if !errors.Is(err, fs.ErrPermission) || s.ours {
		return b, err
	}
	err = s.as(func() (err error) {
		b, err = s.proc.ReadFile(s.PID, name)
		return err
	})
	return b, err
}

// refresh reads the target's state anew. The error is fs.ErrNotExist or ESRCH if
// there is no such process.
func (s *process) refresh() (start uint64, err error) {
	// the main thread's: for the process's own the kernel adds up the times of
	// all its threads, 0.5 ms for 5,000
	stat, err := s.proc.ReadFile(s.PID, fmt.Sprintf("task/%d/stat", s.PID))
	if err != nil {
		return 0, err
	}
	text, err := s.proc.ReadFile(s.PID, "status")
	if err != nil {
		return 0, err
	}
	if s.status, err = parseStatus(text); err != nil {
		return 0, err
	}
	return parseStartTime(stat)
}

// gone reports whether the target has ended, or its id is another process's by now.
func (s *process) gone() bool {
	start, err := s.refresh()
	if absent(err) {
		return true
	}
	return err == nil && (start != s.StartTime || s.ended())
}

// hidden recognises a process of which /proc shows nothing that it is there.
func (s *process) hidden() bool {
	return s.proc.Path(s.PID) == fmt.Sprintf("/proc/%d", s.PID) && errors.Is(unix.Kill(s.PID, 0), unix.EPERM)
}

func (s *process) ended() bool {
	return s.status.letter() == 'Z' || s.status.letter() == 'X'
}

// goneSoon is gone for a target whose socket closed: a process that is being
// killed closes its files some milliseconds before it is a zombie.
func (s *process) goneSoon() bool {
	for range 25 {
		if s.gone() {
			return true
		}
		time.Sleep(2 * time.Millisecond)
	}
	return false
}

// age is how long the target has been running.
func (s *process) age() time.Duration {
	var now unix.Timespec
	if unix.ClockGettime(unix.CLOCK_BOOTTIME, &now) != nil {
		return time.Hour
	}
	const tick = time.Second / 100 // USER_HZ, the same on every architecture
	return time.Duration(now.Nano()) - time.Duration(s.StartTime)*tick
}

// frozen reports whether the target's cgroup is frozen, as by "docker pause". The
// state of its threads does not say so: it is D in version 1 and S in version 2.
func (s *process) frozen() bool {
	cgroups, err := s.proc.ReadFile(s.PID, "cgroup")
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
func (s *process) listens() bool { return s.hasThread("Attach Listener") }

// started reports whether the JVM has come past the removal of a dead socket under
// its name (AttachListener::vm_start), which would take a fresh one away too, and
// past the point where it catches SIGQUIT if it ever does. The service thread is
// started soon afterwards, on 8 to 28.
func (s *process) started() bool { return s.hasThread("Service Thread") }

func (s *process) hasThread(name string) bool {
	tasks, err := os.ReadDir(s.proc.Path(s.PID, "task"))
	if err != nil {
		return false
	}
	for _, t := range tasks {
		comm, err := s.proc.ReadFile(s.PID, "task/"+t.Name()+"/comm")
		if err == nil && string(bytes.TrimSpace(comm)) == name {
			return true
		}
	}
	return false
}

func absent(err error) bool {
	return errors.Is(err, fs.ErrNotExist) || errors.Is(err, unix.ESRCH)
}

// restricted recognises a target with our own ids whose files and memory map the kernel
// keeps from us, because it has capabilities that we lack. It may be signalled, and
// answers us, as it goes by the ids alone.
func (s *process) restricted() bool {
	if os.Geteuid() != int(s.UID) || os.Getegid() != int(s.GID) || s.NSPID != s.PID {
		return false
	}
	_, err := os.Readlink(s.proc.Path(s.PID, "root"))
	return errors.Is(err, fs.ErrPermission)
}

// ourTemp opens the folder of the socket as we see it.
func (s *process) ourTemp() (int, error) { return s.proc.OpenFolder(os.Getpid(), s.TempDir) }
