package attach

import (
	"errors"
	"fmt"
	"io/fs"

	"golang.org/x/sys/unix"
)

// The checks of the kernel's limits. HotSpot ends itself, on 8 to 26, where the thread
// of its attach listener cannot be started. Where it has no descriptor for a connection
// the listener ends, and its socket stays: no client is answered ever again.

const (
	// filesToListen are the socket of the listener and the first connection.
	filesToListen = 2
	// filesToAnswer is the connection alone.
	filesToAnswer = 1
)

func (s *subject) checkFiles() Check {
	n := filesToListen
	if s.listening {
		n = filesToAnswer
	}
	return s.limit("files", func(l Limits) Check { return l.Files(s.PID, n) })
}

func (s *subject) checkMemory() Check {
	return s.limit("memory", func(l Limits) Check { return l.Memory(s.PID, s.status.threads) })
}

func (s *subject) checkThreads() Check {
	const name = "threads"
	if s.listening {
		return passed(name, "no new thread is needed: the attach listener runs")
	}
	return s.limit(name, func(l Limits) Check { return l.Threads(s.PID, 1) })
}

// limit asks for one limit, with the target's ids where ours are refused.
func (s *subject) limit(name string, ask func(Limits) Check) Check {
	if s.client.Limits == nil {
		return unknown(name, "not checked", nil)
	}
	c := ask(s.client.Limits)
	if c.Result == Unknown && errors.Is(c.Err, fs.ErrPermission) && !s.ours {
		_ = s.as(func() error { // as it is if their ids cannot be taken on
			c = ask(s.client.Limits)
			return nil
		})
	}
	return c
}

// checkSignal reports whether the kernel lets us signal the target.
func (s *subject) checkSignal() Check {
	const name = "signal"
	if s.listening {
		return passed(name, "no signal is needed: the attach socket is there")
	}
	err := s.as(func() error { return unix.Kill(s.PID, 0) })
	if errors.Is(err, unix.EPERM) {
		return Check{Name: name, Result: NotOK, Code: CodePermission, Err: err,
			Detail: "the kernel does not let us signal the JVM", Remedy: s.asUser()}
	}
	return passed(name, "the JVM may be signalled")
}

// checkListener connects to the socket and reports who is there. It says nothing, and the
// listener drops a silent connection.
func (s *subject) checkListener() Check {
	const name = "listener"
	if !s.listening {
		return passed(name, listenerNone)
	}
	f, e := s.openFolders()
	if e != nil {
		return unknown(name, e.Cause, e.Err)
	}
	defer f.close()
	err := s.as(func() error {
		fd, err := s.dialFirst(f)
		if err == nil {
			_ = unix.Close(fd)
		}
		return err
	})
	switch {
	case unserved(err):
		s.listening = false
		return passed(name, "no process listens at the socket that is there: SIGQUIT would start the listener")
	case errors.Is(err, unix.EAGAIN):
		return unknown(name, "its queue is full of other clients", err)
	case errors.As(err, new(errNotTheirs)):
		path := f.temp.visible(socketName(s.NSPID))
		return Check{Name: name, Result: NotOK, Code: CodeForeignSocket, Err: err, Remedy: ownTemp,
			Detail: "another process listens at the JVM's socket " + path}
	case err != nil:
		return unknown(name, "its socket cannot be connected to", err)
	case !s.listens():
		return Check{Name: name, Result: NotOK, Code: CodeTimeout,
			Detail: "the JVM's socket is there, but its thread \"Attach Listener\" has ended, as when the JVM had " +
				"no free file descriptor: no tool can attach again",
			Remedy: fmt.Sprintf(
				"kill -QUIT %d makes the JVM print a dump to its own output; attaching needs a restart", s.PID)}
	}
	return passed(name, listenerThere)
}

// checkSpace reports whether the socket and the trigger file can be made: both need an
// inode, and the trigger file, which says whose it is, a block.
func (s *subject) checkSpace() Check {
	const name = "space"
	if s.listening {
		return passed(name, "no file is needed: the attach socket is there")
	}
	f, e := s.openFolders()
	if e != nil {
		return unknown(name, e.Cause, e.Err)
	}
	defer f.close()
	inodes := int64(1) // of the socket
	if !f.apart() {
		inodes++ // of the trigger file
	}
	var st unix.Statfs_t
	if err := unix.Fstatfs(f.temp.fd, &st); err != nil {
		return unknown(name, "the file system of "+s.TempDir+" does not tell", err)
	}
	path := s.proc.Path(s.PID, "root", s.TempDir)
	bad := Check{Name: name, Result: NotOK, Code: CodeSpace}
	switch {
	case st.Files > 0 && int64(st.Ffree) < inodes:
		bad.Detail = fmt.Sprintf(
			"the JVM cannot make its attach socket: %s has %d of %d inodes free, and %d are needed", s.TempDir,
			st.Ffree, st.Files, inodes)
		bad.Remedy = fmt.Sprintf(
			"delete files there (du --inodes -s %s/*), or mount it with more inodes (mount -o remount,nr_inodes=N)",
			path)
		return bad
	case st.Blocks > 0 && s.freeBlocks(st) == 0:
		bad.Harm = HarmLikely
		bad.Detail = fmt.Sprintf("%s is full: 0 of %d MB are free", s.TempDir, st.Blocks*uint64(st.Bsize)>>20)
		bad.Remedy = fmt.Sprintf("delete files there (du -s %s/*); --attach-anyway attaches nevertheless", path)
		return bad
	}
	return passed(name, fmt.Sprintf("%s has inodes and blocks for the trigger file and the attach socket", s.TempDir))
}

// freeBlocks are those that the target's user may take: root has a reserve.
func (s *subject) freeBlocks(st unix.Statfs_t) uint64 {
	if s.UID == 0 {
		return st.Bfree
	}
	return st.Bavail
}

// apart reports that the working directory, where the trigger file belongs, is on another
// file system than the socket, and has an inode for it.
func (f folders) apart() bool {
	var cwd, temp unix.Stat_t
	var st unix.Statfs_t
	if f.cwd.fd < 0 || unix.Fstat(f.cwd.fd, &cwd) != nil || unix.Fstat(f.temp.fd, &temp) != nil {
		return false
	}
	hasInodes := unix.Fstatfs(f.cwd.fd, &st) == nil && (st.Files == 0 || st.Ffree > 0)
	return cwd.Dev != temp.Dev && hasInodes
}
