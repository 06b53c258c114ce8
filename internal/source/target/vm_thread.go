package target

import (
	"slices"

	"github.com/jstall/jstall/internal/jvm"
	"github.com/jstall/jstall/internal/kernel"
)

// Listens reports whether the JVM has started its attach listener.
func (l *JVM) Listens() bool {
	tasks, err := l.Kernel.Tasks(l.Process.PID, kernel.TaskOptions{Comm: true})
	if err != nil {
		return true
	}
	for _, t := range tasks {
		if t.Comm == listenerThread {
			return true
		}
	}
	return false
}

// safepoints is how many safepoints the JVM has begun, unknown without counters.
func (l *JVM) safepoints() jvm.Opt[int64] {
	data, err := jvm.ParsePerfData(l.Counters().Bytes)
	if err != nil {
		return jvm.Opt[int64]{}
	}
	return data.Safepoints()
}

// VMThreadID is the VM thread's id in our pid namespace, 0 if it is not found.
func (l *JVM) VMThreadID() int {
	tids, err := l.Kernel.TIDs(l.Process.PID)
	if err != nil {
		return 0
	}
	slices.Sort(tids)
	tids = tids[:min(len(tids), firstThreads)]
	tasks, err := l.Kernel.Tasks(l.Process.PID, kernel.TaskOptions{Comm: true, Only: notNil(tids)})
	if err != nil {
		return 0
	}
	for tid, t := range tasks {
		if t.Comm == vmThread {
			return tid
		}
	}
	return 0
}

// vmThread is the name of the thread that stops and restarts the application.
const vmThread = "VM Thread"

const (
	// listenerThread is the name of the thread that answers attach requests.
	listenerThread = "Attach Listener"
	// firstThreads bounds among how many threads the VM thread is searched for: only main and the GC workers start
	// before it.
	firstThreads = 300
)
