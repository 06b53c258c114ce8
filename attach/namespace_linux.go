package attach

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"golang.org/x/sys/unix"
)

// checkNamespace reports whether the process ids that /proc shows are those that we would
// signal: a container may have the /proc of its host, whose ids mean other processes there.
func (s *subject) checkNamespace() Check {
	const name = "namespace"
	if detail := ForeignProc(s.proc); detail != "" {
		return Check{Name: name, Result: NotOK, Code: CodeForeignProc, Detail: detail, Remedy: ShareNamespace}
	}
	return passed(name, "/proc shows the processes of jstall's pid namespace")
}

// ForeignProc says how it shows that a /proc is that of another pid namespace than ours;
// empty for our own, and for saved files in the shape of a /proc.
func ForeignProc(proc Proc) string {
	const we = 1 // any process: its directory is next to "self"
	self := filepath.Join(proc.Path(we), "..", "self")
	var disk unix.Statfs_t
	if unix.Statfs(filepath.Dir(self), &disk) != nil || disk.Type != unix.PROC_SUPER_MAGIC {
		return ""
	}
	const what = "/proc shows another pid namespace than ours"
	us := os.Getpid()
	link, err := os.Readlink(self)
	switch {
	case errors.Is(err, unix.ENOENT):
		return fmt.Sprintf("%s: we are process %d, and not there", what, us)
	case err != nil:
		return ""
	case link != fmt.Sprint(us):
		return fmt.Sprintf(
			"%s: we are process %d, and process %s there; a signal to a process id that it shows would meet "+
				"another process",
			what, us, link)
	case ownNamespaces(filepath.Join(self, "status")) > 1:
		return fmt.Sprintf("%s, around it; a signal to a process id that it shows would meet another process", what)
	}
	return ""
}

// ownNamespaces counts the pid namespaces from that of a /proc inwards to our own; 0 if
// the kernel does not tell.
func ownNamespaces(statusFile string) int {
	text, err := os.ReadFile(statusFile)
	if err != nil {
		return 0
	}
	own, err := parseStatus(text)
	if err != nil {
		return 0
	}
	return own.depth
}
