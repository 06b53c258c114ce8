package target

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"time"

	"github.com/jstall/jstall/internal/kernel"
	"github.com/jstall/jstall/internal/recording"
	"github.com/jstall/jstall/internal/source/form"
)

// Sample reads the facts about the target at one time; all entries have the same time. A full sample includes the
// machine. Once ctx ends nothing more is read.
func (l *JVM) Sample(ctx context.Context, full bool) []recording.Entry {
	at := time.Since(l.Start)
	entries := []recording.Entry{l.Stat()}
	if ctx.Err() == nil {
		entries = append(entries, l.allTasks(), l.Counters())
	}
	if ctx.Err() != nil {
		entries[0].At = at
		return entries
	}
	if full {
		entries = append(entries, l.Surroundings()...)
	} else {
		entries = append(entries, l.kernelFile("process/status", "status"))
	}
	entries = append(
		entries,
		recording.Entry{Kind: recording.Kernel, Name: form.FileFrozen, Bytes: l.Kernel.Frozen(l.Process.PID)},
		recording.Entry{Kind: recording.Kernel, Name: form.FileClients, Bytes: l.listenerLines()},
		recording.Entry{Kind: recording.Kernel, Name: form.FileVMStat, Bytes: l.oomLine()},
		recording.Entry{Kind: recording.Kernel, Name: form.FileAge, Bytes: l.age()},
		recording.Entry{
			Kind: recording.Kernel, Name: form.FileRelease, Bytes: strconv.AppendInt(nil, int64(l.Process.Major), 10),
		},
	)
	for i := range entries {
		entries[i].At = at
	}
	return entries
}

// age is the age of the process in nanoseconds; nil if unknown.
func (l *JVM) age() []byte {
	uptime, err := l.Kernel.Uptime()
	if err != nil {
		return nil
	}
	return strconv.AppendInt(nil, kernel.Age(uptime, l.Process.StartTime).Nanoseconds(), 10)
}

func (l *JVM) kernelFile(name, file string) recording.Entry {
	raw, err := l.Kernel.ReadFile(l.Process.PID, file)
	return recording.Entry{Kind: recording.Kernel, Name: name, Bytes: raw, Err: err}
}

// mostChannels bounds for how many threads the wait channel is read.
const mostChannels = 1000

// allTasks reads all threads, as the kernel is the only source.
func (l *JVM) allTasks() recording.Entry {
	entry := recording.Entry{Kind: recording.Tasks, Name: form.AllTasks}
	tasks, err := l.Kernel.Tasks(l.Process.PID, kernel.TaskOptions{CPU: true, State: true})
	if err != nil {
		entry.Err = err
		return entry
	}
	asked := make([]int, 0, min(len(tasks), mostChannels))
	for tid, t := range tasks {
		always := t.State == "D" || t.Comm == vmThread
		if t.State != "R" && (always || len(tasks) <= mostChannels) {
			asked = append(asked, tid)
		}
	}
	asleep, _ := l.Kernel.Tasks(l.Process.PID, kernel.TaskOptions{WaitChannel: true, Only: asked})
	for tid, s := range asleep {
		t := tasks[tid]
		t.WaitChannel = s.WaitChannel
		tasks[tid] = t
	}
	entry.Bytes = form.WriteAllTasks(tasks)
	return entry
}

// listenerLines are the lines of /proc/PID/net/unix for connections to the target's attach listener. Those in state 02
// wait to be accepted, those in 03 are accepted. The kernel lists them under the name that the JVM bound before it
// renamed the socket.
func (l *JVM) listenerLines() []byte {
	p := l.Process
	all, err := l.Kernel.ReadFile(p.PID, "net/unix")
	if err != nil {
		return nil
	}
	end := fmt.Sprintf(" %s.tmp\n", filepath.Join(p.TempDir, ".java_pid"+strconv.Itoa(p.NSPID)))
	var lines []byte
	for line := range bytes.Lines(all) {
		words := bytes.Fields(line)
		connected := len(words) > 7 && (string(words[5]) == "02" || string(words[5]) == "03")
		if connected && bytes.HasSuffix(line, []byte(end)) {
			lines = append(lines, line...)
		}
	}
	return lines
}

// oomLine is the line of /proc/vmstat that counts the processes killed by the OOM killer.
func (l *JVM) oomLine() []byte {
	all, err := os.ReadFile(filepath.Join(l.Kernel.Root, "vmstat"))
	if err != nil {
		return nil
	}
	for line := range bytes.Lines(all) {
		if bytes.HasPrefix(line, []byte("oom_kill ")) {
			return slices.Clone(line)
		}
	}
	return nil
}
