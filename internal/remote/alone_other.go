//go:build !unix

package remote

import "os/exec"

func alone(*exec.Cmd) {}

func kill(cmd *exec.Cmd) { _ = cmd.Process.Kill() }

// terminate does nothing: the end of its input has to do.
func terminate(*exec.Cmd) {}
