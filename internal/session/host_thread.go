package session

import (
	"fmt"

	"github.com/jstall/jstall/internal/jvm"
	"github.com/jstall/jstall/internal/kernel"
	"github.com/jstall/jstall/internal/shell"
)

// HostThread is a thread of a JVM in another pid namespace that --thread names by its id on the host, as in top -H.
type HostThread struct {
	word string
	// id is its id on the host, nid that in the JVM's namespace, as in dumps.
	id, nid int64
	// other is the host id of another thread, whose nid is id; 0 without such a thread.
	other int
}

// FindHostThread returns nil if the word is not the id of a thread of such a JVM.
func FindHostThread(k *kernel.Reader, p *jvm.Process, word string) *HostThread {
	id, _ := shell.NativeID(word)
	if p == nil || p.NSPID == p.PID || id < 1 {
		return nil
	}
	tasks, err := k.Tasks(p.PID, kernel.TaskOptions{})
	task, there := tasks[int(id)]
	if err != nil || !there {
		return nil
	}
	h := &HostThread{word: word, id: id, nid: int64(task.NSTID)}
	for tid, t := range tasks {
		if int64(t.NSTID) == id && int64(tid) != id {
			h.other = tid
		}
	}
	return h
}

// Instead returns a chooser that matches the thread's host id in place of its nid.
func (h *HostThread) Instead(of shell.Chooser) shell.Chooser {
	if h == nil {
		return of
	}
	return func(name string, nid int64) bool {
		return nid == h.nid || nid != h.id && of(name, nid)
	}
}

// Ambiguity says that the id is also that of another thread in the JVM's namespace, empty if it is not.
func (h *HostThread) Ambiguity() string {
	if h == nil || h.other == 0 {
		return ""
	}
	return fmt.Sprintf("--thread %s is the thread with this id on the host, nid %d in the JVM's own pid namespace; "+
		"the thread with nid %d there has the id %d on the host", h.word, h.nid, h.id, h.other)
}
