package attach

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"strings"
	"time"

	"golang.org/x/sys/unix"

	"github.com/jstall/jstall/internal/jvmthread"
)

// A trigger file of an earlier run says that SIGQUIT was sent and no socket came. It
// holds back a second signal as long as the JVM may still have the first one to handle:
// handled twice, the second makes the JVM print a dump. Where the JVM has handled it and
// could not open its socket, for lack of a descriptor or an inode, the file stays too;
// then it must not hold anything back.

const (
	// stalePoll is the wait between tries to prove that the signal was handled.
	stalePoll = 150 * time.Millisecond
	// stillness is for how long the JVM's own threads must not have run.
	stillness = 60 * time.Millisecond
)

// awaitEarlier waits for the socket that an earlier run has sent SIGQUIT for. again is true if
// the JVM has handled that signal without effect, and a new trigger file is there to
// send another.
func (w *waking) awaitEarlier(ctx context.Context) (fd int, e *Error, again bool) {
	for ctx.Err() == nil && !w.gone() {
		if w.handledInVain(ctx) {
			if err := w.placed.replace(w.name, w.mark, w.owner()); err != nil {
				return -1, w.triggerError(&obstacleError{w.placed.visible(w.name), err}), false
			}
			return -1, nil, true
		}
		soon, cancel := context.WithTimeout(ctx, stalePoll)
		fd, err := w.poll(soon)
		cancel()
		if !unserved(err) {
			fd, e = w.reached(ctx, fd, err)
			return fd, e, false
		}
	}
	fd, e = w.await(ctx)
	return fd, e, false
}

// handledInVain reports that SIGQUIT was delivered, that the thread that handles it has
// come to rest, and that nothing keeps it from working: neither a collection nor any
// other operation of the VM thread. What cannot be read proves nothing.
func (w *waking) handledInVain(ctx context.Context) bool {
	l, err := w.placed.inspect(w.name)
	if err != nil || l.mark != w.mark || time.Since(l.since) <= settled {
		return false
	}
	if _, err := w.refresh(); err != nil || w.status.pending&sigquit != 0 ||
		w.status.letter() != 'S' && w.status.letter() != 'R' {
		return false
	}
	if w.client.Hold != nil && w.client.Hold(ctx) != nil {
		return false
	}
	before := w.ownThreads()
	if !before.canHandle() || !sleep(ctx, stillness) {
		return false
	}
	after := w.ownThreads()
	fd, err := w.dialFirst(w.folders)
	if err == nil {
		_ = unix.Close(fd)
	}
	return after.canHandle() && before.ran == after.ran && unserved(err)
}

// ownThreads is what the kernel says of the threads that a JVM has for itself.
type ownThreads struct {
	// dispatcher and vm tell that the threads which handle signals and stop the
	// application are there; asleep that all are.
	dispatcher, vm, asleep bool
	// ran is how often and how long they all have run.
	ran string
}

func (t ownThreads) canHandle() bool { return t.dispatcher && t.vm && t.asleep }

func (s *process) ownThreads() ownThreads {
	found := ownThreads{asleep: true}
	tasks, err := os.ReadDir(s.proc.Path(s.PID, "task"))
	if err != nil {
		return ownThreads{}
	}
	var ran strings.Builder
	for _, t := range tasks {
		comm, _ := s.proc.ReadFile(s.PID, "task/"+t.Name()+"/comm")
		name := string(bytes.TrimSpace(comm))
		switch {
		case jvmthread.Begins(name, "Signal Dispatcher"):
			found.dispatcher = true
		case name == "VM Thread":
			found.vm = true
		case !jvmthread.WorksInPauses(name):
			continue
		}
		stat, err := s.proc.ReadFile(s.PID, "task/"+t.Name()+"/stat")
		times, err2 := s.proc.ReadFile(s.PID, "task/"+t.Name()+"/schedstat")
		found.asleep = found.asleep && err == nil && err2 == nil && isAsleep(stat)
		fmt.Fprintf(&ran, "%s %s\n", t.Name(), times)
	}
	found.ran = ran.String()
	return found
}

// isAsleep reads the state of a stat file: the word after the name in brackets.
func isAsleep(stat []byte) bool {
	return bytes.HasPrefix(stat[bytes.LastIndexByte(stat, ')')+1:], []byte(" S"))
}
