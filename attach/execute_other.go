//go:build !linux

package attach

import "context"

const (
	needsLinux = "live commands need Linux"
	onLinux    = "run jstall on the Linux machine of the JVM, or give it a saved dump"
)

func (c *Client) execute(_ context.Context, t Target, _ Command) (*Answer, *Error) {
	return nil, &Error{Phase: PhaseCheck, PID: t.PID, Code: CodeUnsupported, Cause: needsLinux, Remedy: onLinux}
}

func (c *Client) checks(Target) []Check {
	return []Check{{Name: "process", Result: NotOK, Detail: needsLinux, Remedy: onLinux, Code: CodeUnsupported}}
}

func wantLargePages([]byte) {}
