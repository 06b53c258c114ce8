package attach

import (
	"fmt"
	"strings"
	"time"
)

// Rerun is a remedy: to run the same command again, in another way.
type Rerun struct {
	// PID is the target.
	PID int
	// As is what stands before the command, such as "sudo -u ann"; empty for nothing.
	As string
	// Group is the group whose id the command needs, for a user who is a member of it;
	// empty for none.
	Group string
	// Timeout is the time limit to set; 0 keeps the limit that was set.
	Timeout time.Duration
}

// String is the remedy for a caller who does not say what the command was.
func (r Rerun) String() string {
	limit := ""
	if r.Timeout > 0 {
		limit = fmt.Sprintf("--timeout %v ", r.Timeout)
	}
	return r.Around(fmt.Sprintf("jstall %s%d", limit, r.PID))
}

// Around is a command, words that a shell can read, with what As and Group add to it.
func (r Rerun) Around(command string) string {
	if r.Group != "" {
		command = fmt.Sprintf("sg %s -c '%s'", r.Group, strings.ReplaceAll(command, "'", `'\''`))
	}
	return strings.TrimLeft(r.As+" "+command, " ")
}

// rerun words a remedy, as the caller of the client does if it has a way to.
func (c *Client) rerun(r Rerun) string {
	if c.Rerun != nil {
		return c.Rerun(r)
	}
	return r.String()
}
