package recording

import (
	"fmt"
	"path"
	"strings"
	"time"
)

// foreignProcesses are the processes of a machine in a recording of the Java tool.
type foreignProcesses struct {
	Processes []struct {
		PID                           int
		Command                       string
		StartTimeMillis, CPUTimeNanos int64
	}
}

// stats gives the processes the form of the kernel, a line of /proc/PID/stat each: the one of the pid, and the others.
func (l foreignProcesses) stats(pid int) (own, others string) {
	var one, rest strings.Builder
	for _, p := range l.Processes {
		out := &rest
		if p.PID == pid {
			out = &one
		}
		name, _, _ := strings.Cut(strings.ReplaceAll(p.Command, "\n", " "), " -") // without its arguments
		// the fields after the name are state, parent and so on; 14 is the user's CPU time, 22 the start
		_, _ = fmt.Fprintf(out, "%d (%s) S 0 0 0 0 0 0 0 0 0 0 %d 0 0 0 0 0 1 0 %d\n", p.PID, path.Base(name),
			p.CPUTimeNanos/int64(tick), p.StartTimeMillis/tick.Milliseconds())
	}
	return one.String(), rest.String()
}

// tick is the unit of times in /proc.
const tick = 10 * time.Millisecond
