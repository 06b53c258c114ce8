package kernel

import (
	"strconv"
)

// Surroundings reads what bounds a process and what it shares the machine with:
//
//	stat, loadavg, pid_max, threads-max, pressure/{cpu,memory,io}   of the machine
//	process/{status,limits,fd}                                      of the process
//	process/backlogs                                                connections not accepted; see backlog.go
//	process/children                                                what its children sleep in; see children.go
//	processes                                                       the others' CPU
//	cgroup/LEVEL/NAME       its control groups, level 0 the innermost; see cgroup.go
//
// It never fails: what cannot be read is left out. Of processes that are looked at
// together with one Reader the machine and the others are read once.
func (r *Reader) Surroundings(pid int) Files {
	files := Files{}
	for _, name := range []string{"status", "limits"} {
		files.add("process/"+name, r.Path(pid, name))
	}
	if n, err := r.OpenFiles(pid); err == nil {
		files[openFiles] = []byte(strconv.Itoa(n))
	}
	if text := r.backlogs(pid); len(text) > 0 {
		files[backlogs] = text
	}
	r.moment.share(r, files, pid)
	r.addChildren(files)
	r.addCgroups(files, pid)
	return files
}
