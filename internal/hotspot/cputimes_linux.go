package hotspot

import "github.com/jstall/jstall/internal/kernel"

// CPUTimes reads them from the kernel.
func (p *Process) CPUTimes() (*CPUTimes, error) {
	tasks, err := p.proc.Tasks(p.pid, kernel.TaskOptions{CPU: true, State: true})
	if err != nil {
		return nil, err
	}
	text, err := p.proc.ReadFile(p.pid, "stat")
	if err != nil {
		return nil, err
	}
	stat, err := kernel.ParseStat(text)
	if err != nil {
		return nil, err
	}
	c := &CPUTimes{Threads: map[int]Used{}, Process: stat.CPU(), ticks: map[int]uint64{}}
	for tid, t := range tasks {
		c.Threads[tid], c.ticks[tid] = Used{t.Comm, t.CPU}, t.StartTime
	}
	return c, nil
}
