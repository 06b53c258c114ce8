package form

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/jstall/jstall/analysis/timeline"
	"github.com/jstall/jstall/internal/kernel"
	"github.com/jstall/jstall/threaddump"
)

// The names of the entries that are written only while a JVM gives no answer.
const (
	AllTasks    = "all"
	FileFrozen  = "process/frozen"
	FileClients = "process/clients"
	FileVMStat  = "vmstat"
	FileCrash   = "process/hs_err"
)

// WriteAllTasks writes a line per thread: "nid cpuNanos runQueueNanos state
// waitChannel name", the name quoted.
func WriteAllTasks(tasks map[int]kernel.Task) []byte {
	var b bytes.Buffer
	for _, tid := range slices.Sorted(maps.Keys(tasks)) {
		t := tasks[tid]
		waited := int64(-1)
		if t.RunQueue.Known {
			waited = t.RunQueue.Value.Nanoseconds()
		}
		fmt.Fprintf(&b, "%d %d %d %s %s %q\n", t.NSTID, t.CPU.Nanoseconds(), waited, orDash(t.State),
			orDash(t.WaitChannel), t.Comm)
	}
	return b.Bytes()
}

// ParseAllTasks reads the output of WriteAllTasks. It skips malformed lines.
func ParseAllTasks(text []byte) map[int64]timeline.Task {
	tasks := map[int64]timeline.Task{}
	for line := range strings.Lines(string(text)) {
		words := strings.SplitN(strings.TrimSuffix(line, "\n"), " ", 6)
		if len(words) != 6 {
			continue
		}
		nid, err := strconv.ParseInt(words[0], 10, 64)
		cpu, cpuErr := strconv.ParseInt(words[1], 10, 64)
		waited, waitErr := strconv.ParseInt(words[2], 10, 64)
		name, nameErr := strconv.Unquote(words[5])
		if errors.Join(err, cpuErr, waitErr, nameErr) != nil {
			continue
		}
		task := timeline.Task{
			Name: name, CPU: time.Duration(cpu), State: undash(words[3]), WaitChannel: undash(words[4]),
		}
		if waited >= 0 {
			task.RunQueue = threaddump.Known(time.Duration(waited))
		}
		tasks[nid] = task
	}
	return tasks
}
