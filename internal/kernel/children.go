package kernel

import (
	"bytes"
	"fmt"
	"maps"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

// Children is what the processes used that a process has started, and those that
// these have.
type Children struct {
	Count int
	// CPU is theirs and that of those of their children that have ended.
	CPU time.Duration
	// Started is when the newest of them was started, in ticks since boot.
	Started uint64
	// Pausing counts those that sleep until a time that they have set themselves.
	Pausing int
	// Reading counts those that wait for something from this process in a pipe, Writing
	// those that wait for it to read one that is full.
	Reading, Writing int
	// Turns is how often those have been given a CPU: more from one reading to the next shows
	// that they got what they wait for, if too little to take any time of the kernel's ticks.
	Turns int64
	// Waiting counts those that wait for their children to end, or for others at a pipe between
	// them, which are counted too.
	Waiting int
	// Only is "ffmpeg (pid 4711)" if the process has started just one that runs, and empty otherwise.
	Only string
}

// childPlaces is the name in [Files] of what the children sleep in, a line each: "PID
// FUNCTION", the kernel's, and if it waits for its parent, how, and how often it was given a
// CPU so far.
const childPlaces = "process/children"

// mostChildren bounds of how many children it is read, 10 µs each.
const mostChildren = 100

// addChildren reads what the children of a process sleep in, once its own status and
// the others' stat lines are there.
func (r *Reader) addChildren(files Files) {
	self, below := descendants(files["process/status"], files[processCPU])
	if len(below) > mostChildren {
		return
	}
	var text []byte
	pipes := pipes{
		Reader: r,
		ends:   sync.OnceValue(func() pipeEnds { return r.pipeEnds(self) }),
		siblings: sync.OnceValue(func() map[int]pipeEnds {
			all := map[int]pipeEnds{}
			for pid := range below {
				all[pid] = r.pipeEnds(pid)
			}
			return all
		}),
	}
	for _, pid := range slices.Sorted(maps.Keys(below)) {
		place, err := os.ReadFile(r.Path(pid, "wchan"))
		if err == nil && len(place) > 0 {
			place = bytes.TrimSpace(place)
			text = fmt.Appendf(text, "%d %s%s\n", pid, place, pipes.at(pid, string(place)))
		}
	}
	if len(text) > 0 {
		files[childPlaces] = text
	}
}

// children sums up what the files say of them.
func (f Files) children() Children {
	self, below := descendants(f["process/status"], f[processCPU])
	c, direct := Children{Count: len(below)}, 0
	for pid, stat := range below {
		c.CPU += stat.CPU() + stat.Waited
		c.Started = max(c.Started, stat.StartTime)
		if stat.PPID == self {
			direct++
			c.Only = fmt.Sprintf("%s (pid %d)", stat.Comm, pid)
		}
	}
	if direct != 1 {
		c.Only = ""
	}
	for line := range strings.Lines(string(f[childPlaces])) {
		words := append(strings.Fields(line), "", "", "", "")
		switch place, how := words[1], words[2]; {
		case strings.Contains(place, "nanosleep"): // hrtimer_nanosleep, do_nanosleep
			c.Pausing++
		case how == readsFromParent:
			c.Reading++
		case how == writesIntoParent:
			c.Writing++
		case place == "do_wait", how == waitsForSibling: // of wait4, waitid
			c.Waiting++
		}
		c.Turns += number([]byte(words[3])).Value
	}
	return c
}

// descendants finds a process's children and theirs among the stat lines of others, by
// their ids. Self is its own.
func descendants(status, lines []byte) (self int, below map[int]Stat) {
	_, rest, _ := bytes.Cut(status, []byte("\nPid:"))
	line, _, _ := bytes.Cut(rest, []byte("\n"))
	self, err := strconv.Atoi(string(bytes.TrimSpace(line)))
	if err != nil {
		return 0, nil
	}
	byParent := map[int]map[int]Stat{}
	for line := range bytes.Lines(lines) {
		word, _, _ := bytes.Cut(line, []byte(" "))
		pid := number(word)
		s, err := ParseStat(line)
		if err != nil || !pid.Known {
			continue
		}
		if byParent[s.PPID] == nil {
			byParent[s.PPID] = map[int]Stat{}
		}
		byParent[s.PPID][int(pid.Value)] = s
	}
	below = map[int]Stat{}
	for next := []int{self}; len(next) > 0; next = next[1:] {
		for pid, stat := range byParent[next[0]] {
			below[pid] = stat
			next = append(next, pid)
		}
		delete(byParent, next[0]) // none is counted twice
	}
	return self, below
}
