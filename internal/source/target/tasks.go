package target

import (
	"bytes"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/jstall/jstall/internal/kernel"
	"github.com/jstall/jstall/internal/recording"
	"github.com/jstall/jstall/internal/source/form"
)

// FirstWithCPU is the first JDK whose dumps print CPU times. For older ones, and for an unknown release, the kernel's
// figures are read at the same time.
const FirstWithCPU = 11

// manyThreads is the number of threads from which on only those that the dump shows as running are read from the
// kernel: each file of each thread takes us about 8 µs.
const manyThreads = 1000

// Tasks reads the kernel's facts about the threads of a dump that was just taken, and returns them as an entry.
func (l *JVM) Tasks(dump []byte) recording.Entry {
	entry := recording.Entry{Kind: recording.Tasks, At: time.Since(l.Start)}
	tasks, err := l.readTasks(runnableIDs(dump))
	entry.Err = err
	entry.Bytes = form.WriteTasks(tasks)
	return entry
}

func (l *JVM) readTasks(runnable map[int]bool) (map[int]kernel.Task, error) {
	pid := l.Process.PID
	all := kernel.TaskOptions{CPU: true, State: true}
	if n, err := l.Kernel.ThreadCount(pid); err == nil && n > manyThreads {
		return l.readManyTasks(runnable)
	}
	tasks, err := l.Kernel.Tasks(pid, all)
	if err != nil {
		return tasks, err
	}
	l.addWaitChannels(tasks, runnable)
	return tasks, nil
}

// readManyTasks reads the threads that the JVM reports as running. It reads all threads only for a JVM that does not
// report their CPU time itself. In another pid namespace the JVM's ids are not ours, and finding ours out would take as
// long as reading all.
func (l *JVM) readManyTasks(runnable map[int]bool) (map[int]kernel.Task, error) {
	pid := l.Process.PID
	if l.Process.Major < FirstWithCPU {
		return l.Kernel.Tasks(pid, kernel.TaskOptions{CPU: true})
	}
	if l.Process.NSPID != pid {
		return nil, nil
	}
	some := slices.Sorted(maps.Keys(runnable))
	tasks, err := l.Kernel.Tasks(pid,
		kernel.TaskOptions{CPU: true, State: true, Only: notNil(some[:min(len(some), manyThreads)])})
	if err == nil {
		l.addWaitChannels(tasks, runnable)
	}
	return tasks, err
}

// notNil replaces nil, which means all threads, by an empty list.
func notNil(ids []int) []int {
	if ids == nil {
		return []int{}
	}
	return ids
}

// mostFiles bounds for how many threads the file that they wait for is read.
const mostFiles = 200

// addWaitChannels reads in which place of the kernel, and for which file, a thread sleeps that the JVM reports as
// running; the waits of the others are in the dump.
func (l *JVM) addWaitChannels(tasks map[int]kernel.Task, runnable map[int]bool) {
	sleeping := []int{}
	for tid, t := range tasks {
		if runnable[t.NSTID] && (t.State == "S" || t.State == "D") {
			sleeping = append(sleeping, tid)
		}
	}
	slices.Sort(sleeping)
	found, err := l.Kernel.Tasks(l.Process.PID, kernel.TaskOptions{WaitChannel: true, IO: true, Only: sleeping})
	if err != nil {
		return // these facts are optional
	}
	for tid, f := range found {
		t := tasks[tid]
		t.WaitChannel, t.Writes, t.Received = f.WaitChannel, f.Writes, f.Received
		tasks[tid] = t
	}
	files := l.Kernel.BlockedOn(l.Process.PID, sleeping[:min(len(sleeping), mostFiles)])
	for tid, file := range files {
		t := tasks[tid]
		t.File = file
		tasks[tid] = t
	}
}

// runnableIDs finds the native ids of the threads that a dump calls runnable, without parsing it:
// `… nid=0x1b3 runnable [0x…`. On 21 and newer it also finds carriers of virtual threads, which have no nid but
// `#23 [20283]`.
func runnableIDs(dump []byte) map[int]bool {
	ids := map[int]bool{}
	for line := range bytes.Lines(dump) {
		if line[0] != '"' {
			continue
		}
		at := bytes.LastIndex(line, []byte(" nid="))
		if at < 0 {
			if id, ok := carrierID(string(line)); ok {
				ids[id] = true
			}
			continue
		}
		word, state, _ := strings.Cut(string(line[at+len(" nid="):]), " ")
		if id, err := strconv.ParseInt(word, 0, 64); err == nil && strings.HasPrefix(state, "runnable") {
			ids[int(id)] = true
		}
	}
	return ids
}

func carrierID(header string) (int, bool) {
	_, rest, ok := strings.Cut(header, "\" #")
	if !ok {
		return 0, false
	}
	_, rest, ok = strings.Cut(rest, " [")
	word, _, closed := strings.Cut(rest, "]")
	id, err := strconv.Atoi(word)
	return id, ok && closed && err == nil
}
