//go:build unix

package remote

import (
	"os/exec"
	"syscall"
)

// alone protects the client from a Ctrl-C of the terminal, as jstall ends it in order.
func alone(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

// kill ends a client and its children.
func kill(cmd *exec.Cmd) { _ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }

// terminate asks a client and its children to end.
func terminate(cmd *exec.Cmd) { _ = syscall.Kill(-cmd.Process.Pid, syscall.SIGTERM) }
