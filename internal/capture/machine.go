package capture

import (
	"cmp"
	"errors"
	"io/fs"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/jstall/jstall/analysis/timeline"
	"github.com/jstall/jstall/internal/diagcmd"
	"github.com/jstall/jstall/internal/jvm"
	"github.com/jstall/jstall/internal/kernel"
	"github.com/jstall/jstall/internal/recording"
)

// fdCount is the name of the entry with the number of open descriptors.
const fdCount = "process/fd"

// surroundings reads the kernel's files about the machine and the process's place
// in it, an entry each.
func (l *Live) surroundings() []recording.Entry {
	files := l.Kernel.Surroundings(l.Process.PID)
	l.countFiles(files)
	at := time.Since(l.start)
	entries := make([]recording.Entry, 0, len(files))
	for _, name := range slices.Sorted(maps.Keys(files)) {
		entries = append(entries, recording.Entry{Kind: recording.Kernel, Name: name, Bytes: files[name], At: at})
	}
	return entries
}

// countFiles asks once more as the process's own user where we were refused.
func (l *Live) countFiles(files kernel.Files) {
	p := l.Process
	if _, ok := files[fdCount]; ok {
		return
	}
	_, err := l.Kernel.OpenFiles(p.PID)
	if !errors.Is(err, fs.ErrPermission) {
		return
	}
	n := 0
	err = kernel.RunAs(p.UID, p.GID, p.Groups, func() (err error) {
		n, err = l.Kernel.OpenFiles(p.PID)
		return err
	})
	if err == nil {
		files[fdCount] = []byte(strconv.Itoa(n))
	}
}

// machine puts what the kernel's files say into the words of the analysis.
func machine(files kernel.Files) *timeline.Machine {
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

// codeCacheCommand is the diagnostic command for the code cache.
const codeCacheCommand = "Compiler.codecache"

func codeCache(answer []byte) *timeline.CodeCache {
	c := diagcmd.ParseCodeCache(string(answer))
	return &timeline.CodeCache{
		Size: timeline.Opt[int64](c.Size), Used: timeline.Opt[int64](c.Used),
		Fullest: timeline.Opt[float64](c.Fullest), Disabled: c.Disabled,
	}
}

func counters(d *jvm.PerfData) *timeline.Counters {
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

// loadersCommand is the diagnostic command that lists the class loaders, of which
// there are thousands at most, while the JVM is paused.
const loadersCommand = "VM.classloader_stats"

// reflectionLoader ends the name of the loaders that the JDK makes for each
// accessor of reflection, up to 17.
const reflectionLoader = "reflect.DelegatingClassLoader"

// mostLoaders are the loaders of the class of which most are alike, else of which there are
// most: those that load one thing again and again may each have a parent of their own, which
// loads nothing.
func mostLoaders(answer []byte) *timeline.ClassLoaders {
	var most timeline.ClassLoaders
	all := diagcmd.ParseClassLoaders(string(answer))
	for _, class := range slices.Sorted(maps.Keys(all)) {
		k := all[class]
		more := cmp.Or(cmp.Compare(k.Alike, most.Alike), cmp.Compare(k.Loaders, most.Loaders)) > 0
		if more && !strings.HasSuffix(class, reflectionLoader) {
			most = timeline.ClassLoaders{Class: class, Loaders: k.Loaders, Classes: k.Classes, Alike: k.Alike}
		}
	}
	return &most
}
