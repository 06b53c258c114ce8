package attach

import "github.com/jstall/jstall/internal/kernel"

// NewProc returns a Proc of the /proc that is mounted at root.
func NewProc(root string) Proc { return kernel.New(root) }

// RunAs is a [Client.RunAs] for a process that may switch to the ids of other users, as root may. A JVM answers
// requests of its own user and, from JDK 11 on, of root.
func RunAs(uid, gid uint32, groups []uint32, f func() error) error {
	return kernel.RunAs(uid, gid, groups, f)
}

func (c *Client) proc() Proc {
	if c.Proc != nil {
		return c.Proc
	}
	return NewProc("/proc")
}
