package form

import (
	"time"

	"github.com/jstall/jstall/analysis/timeline"
	"github.com/jstall/jstall/internal/jvm"
	"github.com/jstall/jstall/internal/kernel"
)

// FileOpenFiles is the name of the entry with the number of open descriptors.
const FileOpenFiles = "process/fd"

// Machine converts the kernel's files to the types of the analysis.
func Machine(files kernel.Files) *timeline.Machine {
	m, g := files.Machine(), files.Cgroup()
	out := &timeline.Machine{
		CPUs: timeline.Opt[int](m.CPUs), Allowed: timeline.Opt[int](m.Allowed),
		Quota: timeline.Opt[float64](g.Quota),
		Busy:  timeline.Opt[time.Duration](m.Busy), Stolen: timeline.Opt[time.Duration](m.Stolen),
		Periods: timeline.Opt[int64](g.Periods), ThrottledPeriods: timeline.Opt[int64](g.ThrottledPeriods),
		OpenFiles: usage(m.OpenFiles), MachineTasks: usage(m.Tasks),
		GroupTasks: usage(g.Tasks), GroupMemory: usage(g.Memory),
		MemoryDenied: timeline.Opt[int64](g.MemoryDenied), OOMKills: timeline.Opt[int64](g.OOMKills),
		Children: timeline.Children(m.Children),
		Others:   make(map[int]timeline.OtherProcess, len(m.Others)),
	}
	for _, b := range files.Backlogs() {
		out.Ports = append(out.Ports, timeline.Port{
			Number: b.Port, Open: b.Open, Unread: b.Unread, Pending: len(b.Pending),
		})
	}
	for pid, o := range m.Others {
		out.Others[pid] = timeline.OtherProcess(o)
	}
	return out
}

func usage(u kernel.Usage) timeline.Usage {
	return timeline.Usage{Used: timeline.Opt[int64](u.Used), Limit: timeline.Opt[int64](u.Limit)}
}

func Counters(d *jvm.PerfData) *timeline.Counters {
	c := &timeline.Counters{
		SafepointTime:   timeline.Opt[time.Duration](d.SafepointTime()),
		Safepoints:      timeline.Opt[int64](d.Safepoints()),
		GCTime:          timeline.Opt[time.Duration](d.GCTime()),
		GCCount:         timeline.Opt[int64](d.GCCount()),
		Collector:       d.GC(),
		HeapUsed:        timeline.Opt[int64](d.HeapUsed()),
		HeapMax:         timeline.Opt[int64](d.HeapMax()),
		LoadedClasses:   timeline.Opt[int64](d.LoadedClasses()),
		UnloadedClasses: timeline.Opt[int64](d.UnloadedClasses()),
		MetaspaceUsed:   timeline.Opt[int64](d.MetaspaceUsed()),
		Threads:         timeline.Opt[int64](d.ThreadsLive()),
		Uptime:          timeline.Opt[time.Duration](d.Uptime()),
	}
	if cause := d.GCCause(); cause != "No GC" {
		c.GCCause = cause
	}
	c.LastGCCause = d.LastGCCause()
	c.EdenCapacity = timeline.Opt[int64](d.EdenCapacity())
	c.Emptied = timeline.Opt[time.Duration](d.Emptied())
	old := d.OldGeneration()
	c.SurvivorUsed, c.OldCollections = timeline.Opt[int64](d.SurvivorUsed()), timeline.Opt[int64](d.OldCollections())
	c.FullCollections = timeline.Opt[int64](d.FullCollections())
	c.OldUsed, c.OldMax = timeline.Opt[int64](old.Used), timeline.Opt[int64](old.Max)
	return c
}
