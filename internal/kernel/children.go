package kernel

import (
	"bytes"
	"fmt"
	"maps"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Children is what the processes used that a process has started, and those that
// these have.
type Children struct {
	Count int
	// CPU is theirs and that of their own children that have ended.
	CPU time.Duration
	// Pausing counts those that sleep until a time that they have set themselves.
	Pausing int
}

// childPlaces is the name in [Files] of what the children sleep in, a line each: "PID
// FUNCTION", the kernel's.
const childPlaces = "process/children"

// mostChildren bounds of how many children it is read, 10 µs each.
const mostChildren = 100

// addChildren reads what the children of a process sleep in, once its own status and
// the others' stat lines are there.
func (r *Reader) addChildren(files Files) {
	below := descendants(files["process/status"], files[processCPU])
	if len(below) > mostChildren {
		return
	}
	var text []byte
	for _, pid := range slices.Sorted(maps.Keys(below)) {
		place, err := os.ReadFile(r.Path(pid, "wchan"))
		if err == nil && len(place) > 0 {
			text = fmt.Appendf(text, "%d %s\n", pid, bytes.TrimSpace(place))
		}
	}
	if len(text) > 0 {
		files[childPlaces] = text
	}
}

// children sums up what the files say of them.
func (f Files) children() Children {
	below := descendants(f["process/status"], f[processCPU])
	c := Children{Count: len(below)}
	for _, cpu := range below {
		c.CPU += cpu
	}
	for line := range strings.Lines(string(f[childPlaces])) {
		_, place, _ := strings.Cut(strings.TrimSpace(line), " ")
		if strings.Contains(place, "nanosleep") { // hrtimer_nanosleep, do_nanosleep
			c.Pausing++
		}
	}
	return c
}

// descendants finds a process's children and theirs among the stat lines of others,
// with the CPU time of each.
func descendants(status, lines []byte) map[int]time.Duration {
	_, rest, _ := bytes.Cut(status, []byte("\nPid:"))
	line, _, _ := bytes.Cut(rest, []byte("\n"))
	self, err := strconv.Atoi(string(bytes.TrimSpace(line)))
	if err != nil {
		return nil
	}
	byParent := map[int]map[int]time.Duration{}
	for line := range bytes.Lines(lines) {
		word, _, _ := bytes.Cut(line, []byte(" "))
		pid := number(word)
		s, err := ParseStat(line)
		if err != nil || !pid.Known {
			continue
		}
		if byParent[s.PPID] == nil {
			byParent[s.PPID] = map[int]time.Duration{}
		}
		byParent[s.PPID][int(pid.Value)] = s.CPU() + s.Waited
	}
	below := map[int]time.Duration{}
	for next := []int{self}; len(next) > 0; next = next[1:] {
		for pid, cpu := range byParent[next[0]] {
			below[pid] = cpu
			next = append(next, pid)
		}
		delete(byParent, next[0]) // none is counted twice
	}
	return below
}
