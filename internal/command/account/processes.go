package account

import (
	"cmp"
	"os"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/jstall/jstall/internal/kernel"
	"github.com/jstall/jstall/internal/order"
	"github.com/jstall/jstall/internal/recording"
	"github.com/jstall/jstall/internal/render"
	"github.com/jstall/jstall/internal/shell"
	"github.com/jstall/jstall/internal/source/live"
)

func processesView() view {
	return view{
		name: "processes", usage: "the other processes that use the CPU",
		about: `Shows which processes used CPU time between two readings, and how busy the CPUs were.
With a JVM as the target: the other processes, and the CPUs that the JVM may use.`,
		price:    "none; reading /proc takes 8 µs of jstall's CPU time per process.",
		examples: "   jstall processes\n   jstall processes 4711 -i 5s\n   jstall processes night.zip",
		machine:  true, count: 2, machineAlone: true,
		adjust: needsTwo, facts: processFacts,
	}
}

// needsTwo refuses a single reading.
func needsTwo(c *cli.Context, _ *live.Inquiry) error {
	if c.Int("count") < 2 {
		return shell.Usage("--count 2", "processes compares two readings")
	}
	return nil
}

// processFacts compares the first reading of the machine with the last one. It is nil if there are not two, or if the
// last one does not list other processes.
func processFacts(s *seen) render.Facts {
	all := s.machines()
	if len(all) < 2 {
		return nil
	}
	first, last := all[0], all[len(all)-1]
	was, is := first.value.Machine(), last.value.Machine()
	if len(is.Others) == 0 {
		return nil
	}
	f := render.ProcessFacts{Seconds: between(all), OwnSeconds: s.ownCPU(), Processes: []render.ProcessRow{}}
	if is.Busy.Known && was.Busy.Known && is.Busy.Value >= was.Busy.Value {
		busy := (is.Busy.Value - was.Busy.Value).Seconds()
		f.BusySeconds = &busy
	}
	if is.Allowed.Known {
		f.CPUs = &is.Allowed.Value
	} else if is.CPUs.Known {
		f.CPUs = &is.CPUs.Value
	}
	for pid, p := range is.Others {
		used := p.CPU
		if before, ok := was.Others[pid]; ok && before.StartTime == p.StartTime {
			used -= before.CPU
		}
		if used > 0 {
			f.Processes = append(f.Processes, processRow(pid, p.Name, used, f.Seconds))
		}
	}
	order.Sort(f.Processes, func(a, b render.ProcessRow) int {
		return cmp.Or(cmp.Compare(b.CPUSeconds, a.CPUSeconds), cmp.Compare(a.PID, b.PID))
	})
	return f
}

func processRow(pid int, name string, used time.Duration, over *float64) render.ProcessRow {
	row := render.ProcessRow{PID: pid, Name: name, CPUSeconds: used.Seconds()}
	if over != nil && *over > 0 {
		percent := 100 * used.Seconds() / *over
		row.CPUPercent = &percent
	}
	return row
}

// ownCPU is the CPU time in seconds that the target used from the first reading to the last. It is nil if the target
// was not read twice or is no JVM.
func (s *seen) ownCPU() *float64 {
	if s.process.PID == os.Getpid() {
		return nil // no JVM was named
	}
	var times []time.Duration
	for _, e := range s.entries {
		if e.Kind != recording.Process || e.Err != nil {
			continue
		}
		if stat, err := kernel.ParseStat(e.Bytes); err == nil {
			times = append(times, stat.CPU())
		}
	}
	if len(times) < 2 {
		return nil
	}
	used := (times[len(times)-1] - times[0]).Seconds()
	return &used
}
