//go:build unix

package watch

import (
	"os/exec"
	"syscall"
)

// endWithChildren has a command ended together with what it started, but what has left its process group, as by
// setsid(1). It ignores no signal that the terminal sends us.
func endWithChildren(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
}
