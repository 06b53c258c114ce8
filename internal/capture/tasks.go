package capture

import (
	"bytes"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/jstall/jstall/analysis/timeline"
	"github.com/jstall/jstall/internal/kernel"
	"github.com/jstall/jstall/internal/recording"
	"github.com/jstall/jstall/threaddump"
)

// firstWithCPU is the first JDK whose dumps print CPU times. For older ones, and
// where the release is unknown, the kernel is asked at the same moment.
const firstWithCPU = 11

// manyThreads is from where on the kernel is asked only about the threads that
// the dump shows at work: each file of each thread takes us about 8 µs.
const manyThreads = 1000

// tasks asks the kernel about the threads of a dump that was just taken, and
// writes the answer as text, a line per thread: "nid cpuNanos runQueueNanos state
// waitChannel file peer turns writes received", -1 for figures and - for words that are not
// known.
func (l *Live) tasks(dump []byte) recording.Entry {
	entry := recording.Entry{Kind: recording.Tasks, At: time.Since(l.start)}
	tasks, err := l.readTasks(runnableIDs(dump))
	entry.Err = err
	var b bytes.Buffer
	for _, tid := range slices.Sorted(maps.Keys(tasks)) {
		t := tasks[tid]
		fmt.Fprintf(&b, "%d %d %d %s %s %s %s %d %d %d\n", t.NSTID, t.CPU.Nanoseconds(), orMinus(t.RunQueue), t.State,
			orDash(t.WaitChannel), orDash(string(t.File.Kind)), orDash(t.File.Peer), orMinus(t.Turns),
			orMinus(t.Writes), orMinus(t.Received))
	}
	entry.Bytes = b.Bytes()
	return entry
}

func orMinus[T ~int64](figure kernel.Opt[T]) int64 {
	if !figure.Known {
		return -1
	}
	return int64(figure.Value)
}

func orDash(word string) string {
	if word == "" {
		return "-"
	}
	return word
}

func (l *Live) readTasks(runnable map[int]bool) (map[int]kernel.Task, error) {
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

// readManyTasks asks about the threads that run as the JVM sees it, and about all
// only for a JVM that does not tell their CPU time itself. Where the JVM is in a
// pid namespace of its own their ids are not ours, and finding ours out would
// take as long as reading all.
func (l *Live) readManyTasks(runnable map[int]bool) (map[int]kernel.Task, error) {
	pid := l.Process.PID
	if l.Process.Major < firstWithCPU {
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

// notNil keeps an empty list from meaning all.
func notNil(ids []int) []int {
	if ids == nil {
		return []int{}
	}
	return ids
}

// mostFiles bounds of how many threads it is asked which file they wait for.
const mostFiles = 200

// addWaitChannels asks where in the kernel, and for which file, a thread sleeps
// that the JVM takes for running; the others' waits are in the dump.
func (l *Live) addWaitChannels(tasks map[int]kernel.Task, runnable map[int]bool) {
	sleeping := []int{}
	for tid, t := range tasks {
		if runnable[t.NSTID] && (t.State == "S" || t.State == "D") {
			sleeping = append(sleeping, tid)
		}
	}
	slices.Sort(sleeping)
	found, err := l.Kernel.Tasks(l.Process.PID, kernel.TaskOptions{WaitChannel: true, IO: true, Only: sleeping})
	if err != nil {
		return // it only adds
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

// runnableIDs finds the native ids of the threads that a dump calls runnable,
// without parsing it: `… nid=0x1b3 runnable [0x…`, and on 21 and newer carriers of
// virtual threads, which have no nid but `#23 [20283]`.
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

// parseTasks reads what Live.tasks wrote; lines that do not fit are left out. Those of
// older recordings end before the turns, or what it wrote.
func parseTasks(text []byte) map[int64]timeline.Task {
	tasks := map[int64]timeline.Task{}
	for line := range strings.Lines(string(text)) {
		words := strings.Split(strings.TrimSuffix(line, "\n"), " ")
		const least, all = 7, 10
		for least <= len(words) && len(words) < all {
			words = append(words, "-1")
		}
		if len(words) != all {
			continue
		}
		var n [6]int64
		var err error
		for i, at := range [...]int{0, 1, 2, 7, 8, 9} {
			if err == nil {
				n[i], err = strconv.ParseInt(words[at], 10, 64)
			}
		}
		if err != nil {
			continue
		}
		task := timeline.Task{CPU: time.Duration(n[1]), State: words[3]}
		if n[2] >= 0 {
			task.RunQueue = threaddump.Known(time.Duration(n[2]))
		}
		if n[3] >= 0 {
			task.Turns = threaddump.Known(n[3])
		}
		if n[4] >= 0 {
			task.Writes = threaddump.Known(n[4])
		}
		if n[5] >= 0 {
			task.Received = threaddump.Known(n[5])
		}
		task.WaitChannel, task.File, task.Peer = undash(words[4]), undash(words[5]), undash(words[6])
		tasks[n[0]] = task
	}
	return tasks
}

func undash(word string) string {
	if word == "-" {
		return ""
	}
	return word
}
