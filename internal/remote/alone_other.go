//go:build !unix

package remote

import "os/exec"

func alone(*exec.Cmd) {}

func kill(cmd *exec.Cmd) { _ = cmd.Process.Kill() }

// terminate does nothing here: the client ends when its input ends.
func terminate(*exec.Cmd) {}
