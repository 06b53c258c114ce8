package kernel

import (
	"bytes"
	"fmt"
	"path/filepath"
	"time"
)

// mostLevels bounds how far up the tree of groups is read; Kubernetes has five.
const mostLevels = 8

// addCgroups reads, from the process's own group upwards, the limits, and of a
// group that has one what is used of it. Counting the use may cost the kernel
// more than reading a number, so it is not asked for without need.
func (r *Reader) addCgroups(files Files, pid int) {
	membership, err := r.ReadFile(pid, "cgroup")
	if err != nil {
		return
	}
	for _, controller := range []string{"cpu", "memory", "pids"} {
		h, err := hierarchyOf(r, controller, membership)
		if err != nil {
			continue
		}
		for level, dir := 0, h.dir; level < mostLevels; level++ {
			files.addGroup(controller, level, dir, h.v2)
			if dir == h.top || len(dir) <= len(h.top) {
				break
			}
			dir = filepath.Dir(dir)
		}
	}
}

// Quota is how many cores' worth of CPU time a process may use by its control groups;
// unknown without limit.
func (r *Reader) Quota(pid int) Opt[float64] {
	files := Files{}
	r.addCgroups(files, pid)
	return files.Cgroup().Quota
}

// groupFiles names the files of a controller: the one with its limit, and those
// worth reading if there is one.
func groupFiles(controller string, v2 bool) (limit string, use []string) {
	switch {
	case controller == "cpu" && v2:
		return "cpu.max", []string{"cpu.stat"}
	case controller == "cpu":
		return "cpu.cfs_quota_us", []string{"cpu.cfs_period_us", "cpu.stat"}
	case controller == "memory" && v2:
		return "memory.max", []string{"memory.current", "memory.events", "memory.stat"}
	case controller == "memory":
		return "memory.limit_in_bytes", []string{"memory.usage_in_bytes", "memory.failcnt", "memory.stat"}
	}
	return "pids.max", []string{"pids.current"}
}

func (f Files) addGroup(controller string, level int, dir string, v2 bool) {
	name := func(file string) string { return fmt.Sprintf("cgroup/%d/%s", level, file) }
	if level == 0 && v2 && controller == "cpu" {
		for _, what := range []string{"cpu", "memory", "io"} {
			f.add(name(what+".pressure"), filepath.Join(dir, what+".pressure"))
		}
	}
	limit, use := groupFiles(controller, v2)
	if !f.add(name(limit), filepath.Join(dir, limit)) || !isLimit(f[name(limit)]) {
		return
	}
	for _, file := range use {
		f.add(name(file), filepath.Join(dir, file))
	}
}

// Cgroup is what the control groups of a process allow it, the tightest of all
// levels, and what they have kept it from.
type Cgroup struct {
	// Quota is how many cores' worth of CPU time it may use; unknown without limit.
	Quota Opt[float64]
	// Throttled sums the times that the group was held back for its quota, over
	// its CPUs; Periods counts the periods, ThrottledPeriods those that ended so.
	Throttled                 Opt[time.Duration]
	Periods, ThrottledPeriods Opt[int64]
	// Memory is in bytes, what the kernel could take back at once left out.
	Memory Usage
	// MemoryDenied counts how often an allocation ran into the limit, OOMKills
	// the processes killed for it.
	MemoryDenied, OOMKills Opt[int64]
	// Tasks are threads and processes.
	Tasks Usage
	// Pressure of the innermost group.
	Pressure Pressures
}

// Cgroup reads the control groups out of the files.
func (f Files) Cgroup() Cgroup {
	var c Cgroup
	for level := range mostLevels {
		g := func(name string) []byte { return f[fmt.Sprintf("cgroup/%d/%s", level, name)] }
		c.addCPU(g)
		if u := memoryUse(g); u.share() > c.Memory.share() {
			c.Memory = u
			c.MemoryDenied, c.OOMKills = memoryDenied(g)
		}
		if u := (Usage{number(g("pids.current")), limitOf(g("pids.max"))}); u.share() > c.Tasks.share() {
			c.Tasks = u
		}
	}
	c.Pressure = f.pressures("cgroup/0/%s.pressure")
	return c
}

// group yields a file of one level, nil if it is not there.
type group func(name string) []byte

func (c *Cgroup) addCPU(g group) {
	quota := quotaOf(g)
	if !quota.Known || c.Quota.Known && c.Quota.Value <= quota.Value {
		return
	}
	stat := keyed(g("cpu.stat"))
	c.Quota = quota
	c.Periods, c.ThrottledPeriods = stat["nr_periods"], stat["nr_throttled"]
	c.Throttled = Opt[time.Duration]{}
	if us := stat["throttled_usec"]; us.Known { // v2
		c.Throttled = Known(time.Duration(us.Value) * time.Microsecond)
	} else if ns := stat["throttled_time"]; ns.Known { // v1
		c.Throttled = Known(time.Duration(ns.Value))
	}
}

// quotaOf reads cpu.max, "50000 100000", or v1's two files.
func quotaOf(g group) Opt[float64] {
	quota, period := number(g("cpu.cfs_quota_us")), number(g("cpu.cfs_period_us"))
	if both := bytes.Fields(g("cpu.max")); len(both) == 2 {
		quota, period = number(both[0]), number(both[1])
	}
	if !quota.Known || !period.Known || quota.Value <= 0 || period.Value <= 0 {
		return Opt[float64]{}
	}
	return Known(float64(quota.Value) / float64(period.Value))
}

// memoryUse leaves out the page cache and the caches that shrink under pressure:
// a group that reads files is always full of them.
func memoryUse(g group) Usage {
	u := Usage{number(g("memory.current")), limitOf(g("memory.max"))}
	prefix := ""
	if v1 := limitOf(g("memory.limit_in_bytes")); v1.Known {
		u = Usage{number(g("memory.usage_in_bytes")), v1}
		prefix = "total_"
	}
	stat := keyed(g("memory.stat"))
	if !u.Used.Known || len(stat) == 0 {
		return u
	}
	for _, cache := range []string{"inactive_file", "active_file", "slab_reclaimable"} {
		u.Used.Value -= stat[prefix+cache].Value
	}
	u.Used.Value = max(0, u.Used.Value)
	return u
}

func memoryDenied(g group) (denied, kills Opt[int64]) {
	if n := number(g("memory.failcnt")); n.Known {
		return n, Opt[int64]{}
	}
	events := keyed(g("memory.events"))
	return events["max"], events["oom_kill"]
}
