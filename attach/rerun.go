package attach

import (
	"fmt"
	"os"
	"os/user"
	"slices"
	"strconv"
	"time"
)

// RunAsRoot is the remedy to run the same command as root. The dots are its arguments, here and below.
const RunAsRoot = "sudo jstall …"

const tryAgain = "try again"

// RunWithin is the remedy to run the same command with another time limit.
func RunWithin(timeout time.Duration) string { return fmt.Sprintf("add --timeout %v", timeout) }

// RunWithIDs is the remedy to run the same command with other ids than ours. Sudo refuses an id without a name, and is
// no use to a user who has none; root needs neither.
func RunWithIDs(uid, gid uint32) string {
	u, unnamed := user.LookupId(number(uid))
	group, anonymous := user.LookupGroupId(number(gid))
	us := uint32(os.Geteuid())
	switch {
	case !named(us):
		return fmt.Sprintf("docker exec --user %d:%d CONTAINER jstall …", uid, gid)
	case unnamed != nil, us == uid && os.Getegid() == int(gid):
		return RunAsRoot
	case us == uid && anonymous == nil && inGroup(gid):
		return fmt.Sprintf("sg %s -c 'jstall …'", group.Name)
	case u.Gid == number(gid):
		return fmt.Sprintf("sudo -u %s jstall …", u.Username)
	case anonymous != nil:
		return RunAsRoot
	}
	return fmt.Sprintf("sudo -u %s -g %s jstall …", u.Username, group.Name)
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
