package cpu

import (
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/jstall/jstall/analysis/finding"
	"github.com/jstall/jstall/analysis/timeline"
)

// neighbourCounts is the part of the CPU time of the busiest process of a name that another process of that name must
// have used to be counted with it.
const neighbourCounts = 0.2

// neighbours are the other processes of one name, with what each used of the CPU.
type neighbours struct {
	name string
	pids []int
	used []time.Duration
	sum  time.Duration
}

// Busiest names the other process that used most CPU between two moments. Processes of one name count together: four
// shells with a fifth of a core each are one neighbour.
func Busiest(before, after map[int]timeline.OtherProcess) string {
	byName := map[string]*neighbours{}
	for _, pid := range slices.Sorted(maps.Keys(after)) {
		now, then := after[pid], before[pid]
		if then.StartTime != now.StartTime {
			then.CPU = 0
		}
		n := byName[now.Name]
		if n == nil {
			n = &neighbours{name: now.Name}
			byName[now.Name] = n
		}
		n.add(pid, now.CPU-then.CPU)
	}
	best := &neighbours{}
	for _, name := range slices.Sorted(maps.Keys(byName)) {
		if n := byName[name]; n.sum > best.sum {
			best = n
		}
	}
	return best.String()
}

func (n *neighbours) add(pid int, used time.Duration) {
	n.pids, n.used = append(n.pids, pid), append(n.used, used)
	n.sum += used
}

// String is "sh (pid 812 and 3 more)" with the busiest process named; empty if the processes used no CPU.
func (n *neighbours) String() string {
	if n.sum <= 0 {
		return ""
	}
	most, others := slices.Max(n.used), -1
	for _, used := range n.used {
		others += finding.CountIf(float64(used) >= neighbourCounts*float64(most))
	}
	text := fmt.Sprintf("%s (pid %d", n.name, n.pids[slices.Index(n.used, most)])
	if others > 0 {
		text += fmt.Sprintf(" and %d more", others)
	}
	return text + ")"
}
