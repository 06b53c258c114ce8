package attach

import (
	"context"
	"sync"
	"time"
)

const (
	// DefaultTimeout bounds an Execute of a Client without Timeout.
	DefaultTimeout = 3 * time.Second
	// DefaultMaxAnswer bounds the answer for a Client without MaxAnswer, in
	// bytes: over a hundred times the dump of 5,000 threads.
	DefaultMaxAnswer = 512 << 20
)

// Proc reads the target's directory under /proc.
type Proc interface {
	// ReadFile returns the bytes of /proc/PID/NAME.
	ReadFile(pid int, name string) ([]byte, error)
	// Path returns the path /proc/PID/elem…, to open and to connect to.
	Path(pid int, elem ...string) string
	// OpenFolder opens a folder with O_PATH as the process would find it: inside its root,
	// with no more than its rights, and in bounded time. A relative path begins at the
	// process's working directory, which must be below that root too.
	OpenFolder(pid int, path string) (fd int, err error)
}

// Client executes commands in JVMs. Its zero value is ready to use. It is used by pointer, by any number of
// goroutines at a time; its fields are set before the first use.
type Client struct {
	// Proc reads the targets' /proc; nil: NewProc("/proc").
	Proc Proc
	// RunAs runs f on one locked thread that has taken on the user's ids and
	// ends afterwards; nil: our own ids only. See [RunAs].
	RunAs func(uid, gid uint32, groups []uint32, f func() error) error
	// Limits, if set, reports the room that the kernel's limits leave; nil: unchecked.
	Limits Limits
	// Force sends although a check says that it is likely to do harm.
	Force bool
	// Timeout bounds one Execute, all phases together; 0: DefaultTimeout; negative: the
	// context alone bounds it.
	Timeout time.Duration
	// MaxAnswer is the largest answer taken, in bytes; 0: DefaultMaxAnswer.
	MaxAnswer int64
	// Hold, if set, is called before a signal or request is sent and returns
	// when the target is not in a garbage collection or long safepoint. An
	// error, such as the context's at its end, ends the Execute unsent.
	Hold func(ctx context.Context) error

	streams sync.Map // identity → bool: the answer to "getversion options"
}

func (c *Client) timeout() time.Duration {
	if c.Timeout > 0 {
		return c.Timeout
	}
	return DefaultTimeout
}

func (c *Client) maxAnswer() int64 {
	if c.MaxAnswer > 0 {
		return c.MaxAnswer
	}
	return DefaultMaxAnswer
}
