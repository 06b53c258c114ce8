// Package form has the formats of the entries of a reading: how a live source writes them, and how the analysis reads
// them. It is pure.
package form

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
	"github.com/jstall/jstall/threaddump"
)

// WriteTasks writes a line per thread: "nid cpuNanos runQueueNanos state waitChannel file peer turns writes received".
// An unknown figure is -1, an unknown word is -.
func WriteTasks(tasks map[int]kernel.Task) []byte {
	var b bytes.Buffer
	for _, tid := range slices.Sorted(maps.Keys(tasks)) {
		t := tasks[tid]
		fmt.Fprintf(&b, "%d %d %d %s %s %s %s %d %d %d\n", t.NSTID, t.CPU.Nanoseconds(), orMinus(t.RunQueue), t.State,
			orDash(t.WaitChannel), orDash(string(t.File.Kind)), orDash(t.File.Peer), orMinus(t.Turns),
			orMinus(t.Writes), orMinus(t.Received))
	}
	return b.Bytes()
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

// ParseTasks reads the output of WriteTasks. It skips malformed lines. Lines of older recordings end before turns, or
// earlier.
func ParseTasks(text []byte) map[int64]timeline.Task {
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
