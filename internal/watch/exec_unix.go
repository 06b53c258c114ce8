//go:build unix

package watch

import (
	"os/exec"
	"syscall"
)

// endWithChildren has the command ended together with its children, except those that left its process group, as by
// setsid(1). The command gets no signals from the terminal.
func endWithChildren(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
}
