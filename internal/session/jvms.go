package session

import (
	"cmp"
	"context"
	"fmt"
	"time"

	"github.com/jstall/jstall/internal/jvm"
	"github.com/jstall/jstall/internal/kernel"
	"github.com/jstall/jstall/internal/render"
	"github.com/jstall/jstall/internal/shell"
)

// ListRows returns the running JVMs that match a filter, with their CPU use over the interval if that is positive.
func ListRows(ctx context.Context, env *shell.Env, filters []string, interval time.Duration) (*jvm.Found,
	[]render.ListRow, error) {
	k := kernel.New(env.ProcRoot)
	found, err := jvm.Find(ctx, k, jvm.FindOptions{})
	if err != nil {
		return nil, nil, err
	}
	percent, err := cpuNow(ctx, k, found.Processes, interval)
	if err != nil {
		return nil, nil, err
	}
	rows := []render.ListRow{}
	for _, p := range found.Processes {
		if MatchesAny(p, filters) {
			rows = append(rows, listRow(p, percent[p.PID]))
		}
	}
	return &found, rows, nil
}

// MatchesAny reports whether one of the filters matches. Without filters every process matches.
func MatchesAny(p jvm.Process, filters []string) bool {
	for _, f := range filters {
		if f == "all" || f == fmt.Sprint(p.PID) || Matches(p, f) {
			return true
		}
	}
	return len(filters) == 0
}

// cpuNow measures the CPU use of each process over the interval, in percent of one core. A process that ended in the
// meantime has no figure.
func cpuNow(ctx context.Context, k *kernel.Reader, processes []jvm.Process, interval time.Duration) (map[int]*float64,
	error) {
	if interval == 0 {
		return nil, nil
	}
	before, start := cpuTimes(k, processes), time.Now()
	select {
	case <-time.After(interval):
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	after, elapsed := cpuTimes(k, processes), time.Since(start)
	percent := map[int]*float64{}
	for pid, is := range after {
		if was, ok := before[pid]; ok {
			v := 100 * float64(is-was) / float64(elapsed)
			percent[pid] = &v
		}
	}
	return percent, nil
}

func cpuTimes(k *kernel.Reader, processes []jvm.Process) map[int]time.Duration {
	times := map[int]time.Duration{}
	for _, p := range processes {
		raw, err := k.ReadFile(p.PID, "stat")
		if err != nil {
			continue
		}
		if stat, err := kernel.ParseStat(raw); err == nil && stat.StartTime == p.StartTime {
			times[p.PID] = stat.CPU()
		}
	}
	return times
}

func listRow(p jvm.Process, percent *float64) render.ListRow {
	uptime, cpu := p.Age.Seconds(), p.CPU.Seconds()
	row := render.ListRow{
		PID: p.PID, MainClass: p.Name(), JVM: p.VMName, Version: p.JavaVersion, User: p.User,
		UptimeSeconds: &uptime, CPUSeconds: &cpu, CPUPercent: percent, Threads: &p.Threads,
		Container: p.Container, Note: cmp.Or(p.NotSupported, p.Incomplete),
	}
	// the counters of most collectors change only at a GC: before the first GC they say nothing
	if p.HeapUsed.Known && p.HeapUsed.Value > 0 {
		row.HeapUsedBytes = &p.HeapUsed.Value
	}
	if p.HeapMax.Known {
		row.HeapMaxBytes = &p.HeapMax.Value
	}
	if p.NSPID != p.PID {
		row.NamespacePID = &p.NSPID
	}
	return row
}

// HiddenOnes says how many more processes may be JVMs, and which right is needed to find out.
func HiddenOnes(found *jvm.Found) string {
	return fmt.Sprintf("%d more %s cannot be read: that needs %s", found.Hidden, processes(found.Hidden), found.Missing)
}

func processes(n int) string {
	if n == 1 {
		return "process"
	}
	return "processes"
}
