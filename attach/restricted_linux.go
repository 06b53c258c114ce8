package attach

import (
	"golang.org/x/sys/unix"
)

// checkRestricted is checkHotSpot for such a target. What everybody may see has to do:
// the names of its threads, and what the caller knows of its folder for temporary files.
func (s *subject) checkRestricted() Check {
	const name = "hotspot"
	bad := Check{Name: name, Result: NotOK, Code: CodePermission, Remedy: RunAsRoot}
	switch {
	case !s.hasThread("VM Thread") || !s.hasThread("Service Thread"):
		bad.Code, bad.Remedy = CodeNotJVM, "jstall list"
		bad.Detail = "it lacks the threads of a HotSpot JVM; its mapped files may not be read"
		return bad
	case !s.SharesTemp && !s.answersHere():
		bad.Detail = "it has capabilities that jstall lacks, so /proc does not show where its " + s.TempDir +
			" is, and nothing shows that ours is the same"
		return bad
	}
	return passed(name,
		"it has capabilities that jstall lacks; its threads are those of a HotSpot JVM, and it uses our "+s.TempDir)
}

// answersHere reports whether the target itself listens at its socket in our own folder.
func (s *subject) answersHere() bool {
	temp, err := s.ourTemp()
	if err != nil {
		return false
	}
	f := folders{cwd: folder{fd: -1}, temp: folder{temp, s.TempDir}}
	defer f.close()
	fd, err := f.dialOnce(s.NSPID)
	if err != nil {
		return false
	}
	defer func() { _ = unix.Close(fd) }()
	peer, err := unix.GetsockoptUcred(fd, unix.SOL_SOCKET, unix.SO_PEERCRED)
	return err == nil && int(peer.Pid) == s.PID
}
