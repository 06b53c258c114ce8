package jvm

import (
	"bytes"
	"os"
	"path"
	"strconv"
	"time"

	"github.com/jstall/jstall/internal/kernel"
)

// restricted describes a JVM of our user and group that has capabilities which we lack. The kernel shows us neither its
// files nor its memory map, but we may send it signals, and it answers us. ok is false if what everyone may see of the
// process does not identify a JVM.
func (in *inspector) restricted(p *Process, stat kernel.Stat, st kernel.Status) (ok bool) {
	ours := st.UID.Effective == in.self.UID.Effective && st.GID.Effective == in.self.GID.Effective
	if !ours || len(st.NSpid) > 1 || !in.hasThreadsOf(p.PID, "VM Thread", "Service Thread") {
		return false
	}
	p.Restricted, p.comm = true, stat.Comm
	files := in.r.Opener(p.PID)
	defer files.Close()
	in.addCommand(p, files)
	if _, err := in.r.ReadFile(p.PID, "environ"); err != nil {
		p.Unread = append(p.Unread, "its environment")
	}
	in.addOwner(p)
	p.PerfDataPath = path.Join(p.TempDir, perfDirPrefix+p.User, strconv.Itoa(p.NSPID))
	p.SharesTemp = in.countersMatch(*p)
	if !p.SharesTemp {
		p.PerfDataPath = ""
		p.SharesTemp = p.withoutCounters() && in.inOurCgroup(p.PID)
	}
	return true
}

// hasThreadsOf reports whether the process has threads of all these names. HotSpot 8 to 28 starts both requested ones
// early.
func (in *inspector) hasThreadsOf(pid int, names ...string) bool {
	tasks, err := in.r.Tasks(pid, kernel.TaskOptions{Comm: true})
	if err != nil {
		return false
	}
	seen := map[string]bool{}
	for _, t := range tasks {
		seen[t.Comm] = true
	}
	for _, name := range names {
		if !seen[name] {
			return false
		}
	}
	return true
}

// countersMatch reports whether the counters at the JVM's path, in our view, belong to the JVM: then its folder for
// temporary files is ours. Counters of an earlier process with the same id begin before this one.
func (in *inspector) countersMatch(p Process) bool {
	const unsure = 2 * time.Second // the machine's clock may have been set
	raw, err := ReadPerfData(in.r, p)
	if err != nil {
		return false
	}
	d, err := ParsePerfData(raw)
	if err != nil {
		return false
	}
	began := d.started()
	return began.Known && began.Value.After(time.Now().Add(-p.Age-unsure))
}

// withoutCounters reports whether the JVM's options turn its counters off.
func (p Process) withoutCounters() bool {
	used, _ := p.Flag("UsePerfData")
	private, _ := p.Flag("PerfDisableSharedMem")
	return used == "-" || private == "+"
}

// inOurCgroup reports whether the process is in exactly our control groups. A container or a service, which may give a
// process another view of the files, also puts it into a separate group.
func (in *inspector) inOurCgroup(pid int) bool {
	theirs, err := in.r.ReadFile(pid, "cgroup")
	ours, err2 := in.r.ReadFile(os.Getpid(), "cgroup")
	return err == nil && err2 == nil && len(ours) > 0 && bytes.Equal(theirs, ours)
}
