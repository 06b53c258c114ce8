package jvm

import (
	"errors"
	"fmt"
	"io/fs"

	"github.com/jstall/jstall/internal/kernel"
)

// access reads /proc with the credentials of jstall.
type access struct {
	r    *kernel.Reader
	self kernel.Status
}

// as runs f. If that is refused it runs f again with the ids of a process, if jstall may take them on. So f must be
// ready to run twice.
//
// Root in a container has CAP_SETUID but no CAP_SYS_PTRACE by default: the maps,
// root and environment of another user's process are closed to it, although it
// may become that user.
func (a access) as(owner kernel.Status, f func() error) error {
	err := f()
	if !errors.Is(err, fs.ErrPermission) || !a.mayBecome(owner) {
		return err
	}
	return kernel.RunAs(owner.UID.Effective, owner.GID.Effective, owner.Groups, f)
}

func (a access) mayBecome(owner kernel.Status) bool {
	other := owner.UID.Effective != a.self.UID.Effective || owner.GID.Effective != a.self.GID.Effective
	return other && a.self.Has(kernel.CapSetUID) && a.self.Has(kernel.CapSetGID)
}

// rightToTrace gives access to every process except those of another user namespace.
const rightToTrace = "CAP_SYS_PTRACE"

// missing names the right that would give access to a process that refused us.
func (a access) missing(owner kernel.Status, user string) string {
	switch {
	case a.self.Has(kernel.CapSysPtrace):
		return "more than " + rightToTrace + ", which we have: a security module or another user namespace forbids it"
	case owner.UID.Effective == a.self.UID.Effective && owner.GID.Effective != a.self.GID.Effective:
		return fmt.Sprintf("%s, or the group id %d; ours is %d", rightToTrace, owner.GID.Effective,
			a.self.GID.Effective)
	case owner.UID.Effective == a.self.UID.Effective:
		return rightToTrace + " (it has more rights than we have, or protects itself)"
	case a.mayBecome(owner):
		return rightToTrace + " (taking on its user was not enough)"
	default:
		right := rightToTrace + ", or to be user " + user
		if !named(owner.UID.Effective) {
			right += ", which has no passwd entry"
		}
		return right
	}
}
