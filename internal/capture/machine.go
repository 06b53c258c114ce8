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

	"jstall/analysis"
	"jstall/internal/diagcmd"
	"jstall/internal/jvm"
	"jstall/internal/kernel"
	"jstall/internal/recording"
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
func machine(files kernel.Files) *analysis.Machine {
	m, g := files.Machine(), files.Cgroup()
	out := &analysis.Machine{
		CPUs: analysis.Opt[int](m.CPUs), Allowed: analysis.Opt[int](m.Allowed),
		Quota: analysis.Opt[float64](g.Quota),
		Busy:  analysis.Opt[time.Duration](m.Busy), Stolen: analysis.Opt[time.Duration](m.Stolen),
		Throttled: analysis.Opt[time.Duration](g.Throttled),
		Periods:   analysis.Opt[int64](g.Periods), ThrottledPeriods: analysis.Opt[int64](g.ThrottledPeriods),
		OpenFiles: usage(m.OpenFiles), MachineTasks: usage(m.Tasks),
		GroupTasks: usage(g.Tasks), GroupMemory: usage(g.Memory),
		MemoryDenied: analysis.Opt[int64](g.MemoryDenied), OOMKills: analysis.Opt[int64](g.OOMKills),
		Pressure: pressures(m.Pressure), GroupPressure: pressures(g.Pressure),
		Children: analysis.Children(m.Children),
		Others:   make(map[int]analysis.OtherProcess, len(m.Others)),
	}
	for _, b := range files.Backlogs() {
		out.Backlogs = append(out.Backlogs, analysis.Backlog(b))
	}
	for pid, o := range m.Others {
		out.Others[pid] = analysis.OtherProcess(o)
	}
	return out
}

func usage(u kernel.Usage) analysis.Usage {
	return analysis.Usage{Used: analysis.Opt[int64](u.Used), Limit: analysis.Opt[int64](u.Limit)}
}

func pressures(p kernel.Pressures) analysis.Pressures {
	one := func(p kernel.Pressure) analysis.Pressure {
		return analysis.Pressure{Some: analysis.Opt[time.Duration](p.Some), Full: analysis.Opt[time.Duration](p.Full)}
	}
	return analysis.Pressures{CPU: one(p.CPU), Memory: one(p.Memory), IO: one(p.IO)}
}

// codeCacheCommand is the diagnostic command that tells of the room for code.
const codeCacheCommand = "Compiler.codecache"

func codeCache(answer []byte) *analysis.CodeCache {
	c := diagcmd.ParseCodeCache(string(answer))
	return &analysis.CodeCache{
		Size: analysis.Opt[int64](c.Size), Used: analysis.Opt[int64](c.Used),
		Fullest: analysis.Opt[float64](c.Fullest), Disabled: c.Disabled,
	}
}

func counters(d *jvm.PerfData) *analysis.Counters {
	c := &analysis.Counters{
		SafepointTime:   analysis.Opt[time.Duration](d.SafepointTime()),
		SafepointSync:   analysis.Opt[time.Duration](d.SafepointSyncTime()),
		Safepoints:      analysis.Opt[int64](d.Safepoints()),
		GCTime:          analysis.Opt[time.Duration](d.GCTime()),
		GCCount:         analysis.Opt[int64](d.GCCount()),
		Collector:       d.GC(),
		HeapUsed:        analysis.Opt[int64](d.HeapUsed()),
		HeapCapacity:    analysis.Opt[int64](d.HeapCapacity()),
		HeapMax:         analysis.Opt[int64](d.HeapMax()),
		LoadedClasses:   analysis.Opt[int64](d.LoadedClasses()),
		UnloadedClasses: analysis.Opt[int64](d.UnloadedClasses()),
		MetaspaceUsed:   analysis.Opt[int64](d.MetaspaceUsed()),
		CompileTime:     analysis.Opt[time.Duration](d.CompileTime()),
		Threads:         analysis.Opt[int64](d.ThreadsLive()),
		Uptime:          analysis.Opt[time.Duration](d.Uptime()),
		ThreadsStarted:  analysis.Opt[int64](d.ThreadsStarted()),
	}
	if cause := d.GCCause(); cause != "No GC" {
		c.GCCause = cause
	}
	c.LastGCCause = d.LastGCCause()
	c.ClassesByName = analysis.Opt[int64](d.ClassesByName())
	c.EdenCapacity = analysis.Opt[int64](d.EdenCapacity())
	c.Emptied = analysis.Opt[time.Duration](d.Emptied())
	old := d.OldGeneration()
	c.SurvivorUsed, c.OldCollections = analysis.Opt[int64](d.SurvivorUsed()), analysis.Opt[int64](d.OldCollections())
	c.FullCollections = analysis.Opt[int64](d.FullCollections())
	c.OldUsed, c.OldMax = analysis.Opt[int64](old.Used), analysis.Opt[int64](old.Max)
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
func mostLoaders(answer []byte) *analysis.ClassLoaders {
	var most analysis.ClassLoaders
	all := diagcmd.ParseClassLoaders(string(answer))
	for _, class := range slices.Sorted(maps.Keys(all)) {
		k := all[class]
		more := cmp.Or(cmp.Compare(k.Alike, most.Alike), cmp.Compare(k.Loaders, most.Loaders)) > 0
		if more && !strings.HasSuffix(class, reflectionLoader) {
			most = analysis.ClassLoaders{Class: class, Loaders: k.Loaders, Classes: k.Classes, Alike: k.Alike}
		}
	}
	return &most
}
