package attach

import (
	"fmt"
	"os"
	"os/user"
	"slices"
	"strconv"
	"time"
)

// Rerun is a remedy: to run the same command again, in another way.
type Rerun struct {
	// PID is the target.
	PID int
	// As is what to write before the command, such as "sudo -u ann"; empty for nothing.
	As string
	// Group is the group whose id the command needs, for a user who is a member of it;
	// empty for none.
	Group string
	// Timeout is the time limit to set; 0 keeps the limit that was set.
	Timeout time.Duration
}

// RerunAs is how to run the command with other ids than ours. Sudo refuses an id without
// a name, and is no use to a user who has none; root needs neither.
func RerunAs(pid int, uid, gid uint32) Rerun {
	u, unnamed := user.LookupId(number(uid))
	group, anonymous := user.LookupGroupId(number(gid))
	us := uint32(os.Geteuid())
	switch {
	case !named(us):
		return Rerun{PID: pid, As: fmt.Sprintf("docker exec --user %d:%d CONTAINER", uid, gid)}
	case unnamed != nil, us == uid && os.Getegid() == int(gid):
		return Rerun{PID: pid, As: "sudo"}
	case us == uid && anonymous == nil && inGroup(gid):
		return Rerun{PID: pid, Group: group.Name}
	case u.Gid == number(gid):
		return Rerun{PID: pid, As: "sudo -u " + u.Username}
	case anonymous != nil:
		return Rerun{PID: pid, As: "sudo"}
	}
	return Rerun{PID: pid, As: fmt.Sprintf("sudo -u %s -g %s", u.Username, group.Name)}
}

func number(id uint32) string { return strconv.FormatUint(uint64(id), 10) }

// named reports whether this system has a user of that id.
func named(uid uint32) bool {
	_, err := user.LookupId(number(uid))
	return err == nil
}

// inGroup reports whether a group is one of our supplementary groups.
func inGroup(gid uint32) bool {
	groups, err := os.Getgroups()
	return err == nil && slices.Contains(groups, int(gid))
}

// String names what the command lacks: the flag, or the words before it. The dots are its arguments.
func (r Rerun) String() string {
	switch {
	case r.Timeout > 0:
		return fmt.Sprintf("add --timeout %v", r.Timeout)
	case r.Group != "":
		return fmt.Sprintf("sg %s -c 'jstall …'", r.Group)
	case r.As != "":
		return r.As + " jstall …"
	}
	return "try again"
}

// rerun describes a remedy, as the caller of the client does if it has a way to.
func (c *Client) rerun(r Rerun) string {
	if c.Rerun != nil {
		return c.Rerun(r)
	}
	return r.String()
}
