package limits

import (
	"fmt"

	"jstall/analysis/finding"
	"jstall/analysis/timeline"
)

// The limits by name.
const (
	openFiles      = "open files"
	groupThreads   = "threads of the control group"
	machineThreads = "threads of the machine"
	groupMemory    = "memory of the control group"
)

const (
	filesAdvice = "Find streams and sockets that are never closed (ls -l /proc/PID/fd), or raise the limit " +
		"(ulimit -n)."
	threadsAdvice = "Find threads that never end, or raise pids.max."
	machineAdvice = "Find the process that starts the threads, or raise kernel.pid_max and kernel.threads-max."
	memoryAdvice  = "Lower -Xmx, reduce direct and native memory, or raise the limit: at the limit the kernel kills " +
		"the process."
)

// What the program is told at a limit.
const (
	noFiles   = "Too many open files"
	noThreads = "unable to create native thread"
)

func (l limit) amount() string {
	if l.unit == "MB" {
		return timeline.Megabytes(l.usage.Used.Value) + " of " + timeline.Megabytes(l.usage.Limit.Value)
	}
	return fmt.Sprintf("%d of %d", l.usage.Used.Value, l.usage.Limit.Value)
}

func (l limit) title() string {
	share := float64(l.usage.Used.Value) / float64(l.usage.Limit.Value)
	return fmt.Sprintf("%s: %s in use (%s)", l.what, l.amount(), finding.Percent(share))
}

// failsAdvice follows the advice on a limit that has likely made something fail.
func (l limit) failsAdvice() string {
	return fmt.Sprintf(" Search the log for %q: what failed may be what other threads wait for.", l.fails)
}

func deniedEvidence(times int64) finding.Evidence {
	return finding.Figure(fmt.Sprintf("the limit was reached %d times", times))
}
