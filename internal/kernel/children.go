package kernel

import (
	"bytes"
	"time"
)

// Children is what the processes used that a process has started, and those that
// these have.
type Children struct {
	Count int
	// CPU is theirs and that of their own children that have ended.
	CPU time.Duration
}

// childrenOf finds them among the stat lines of other processes.
func childrenOf(status, lines []byte) Children {
	_, rest, _ := bytes.Cut(status, []byte("\nPid:"))
	line, _, _ := bytes.Cut(rest, []byte("\n"))
	self := number(bytes.TrimSpace(line))
	if !self.Known {
		return Children{}
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
	var c Children
	for next := []int{int(self.Value)}; len(next) > 0; next = next[1:] {
		for pid, cpu := range byParent[next[0]] {
			c.Count++
			c.CPU += cpu
			next = append(next, pid)
		}
		delete(byParent, next[0]) // none is counted twice
	}
	return c
}
