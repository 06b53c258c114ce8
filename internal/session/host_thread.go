package session

import (
	"fmt"

	"github.com/jstall/jstall/internal/jvm"
	"github.com/jstall/jstall/internal/kernel"
	"github.com/jstall/jstall/internal/shell"
)

// HostThread is the thread of a JVM in another pid namespace that --thread names by its id here, as top -H shows it.
type HostThread struct {
	word string
	// id is its id here, nid that in the JVM's namespace, which dumps have.
	id, nid int64
	// other is the id here of another thread, whose nid is id; 0 without one.
	other int
}

// FindHostThread is nil if the word means no id of a thread of such a JVM.
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

// Instead is a chooser that takes the thread's id here for its nid.
func (h *HostThread) Instead(of shell.Chooser) shell.Chooser {
	if h == nil {
		return of
	}
	return func(name string, nid int64) bool {
		return nid == h.nid || nid != h.id && of(name, nid)
	}
}

// Ambiguity says that the id means another thread in the JVM's namespace; empty if none.
func (h *HostThread) Ambiguity() string {
	if h == nil || h.other == 0 {
		return ""
	}
	return fmt.Sprintf("--thread %s is the thread with this id on the host, nid %d in the JVM's own pid namespace; "+
		"the thread with nid %d there has the id %d on the host", h.word, h.nid, h.id, h.other)
}
