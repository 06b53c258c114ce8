package kernel

import (
	"bytes"
	"fmt"
	"io/fs"
	"path/filepath"
	"strconv"

	unix "github.com/jstall/jstall/internal/posix"
)

// Files are small files of the kernel, as they were at one moment, by the names
// of [Reader.Surroundings]. A file that is not there, or not for us to read, is
// missing.
type Files map[string][]byte

// The names in [Files] of what is not a file of the kernel but made of many.
const (
	// openFiles holds the number of open descriptors, in decimal.
	openFiles = "process/fd"
	// processCPU holds a line per process: its stat line.
	processCPU = "processes"
)

// mostProcesses bounds how many processes are looked at for neighbours: 8 µs
// each.
const mostProcesses = 1000

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

func (f Files) add(name, path string) bool {
	text, err := readFile(unix.AT_FDCWD, path, nil)
	if err != nil {
		return false
	}
	f[name] = text
	return true
}

// OpenFiles counts the open descriptors of a process. Since Linux 6.2 the size of the
// directory is their number; before, gopsutil reads its entries, 1 ms for some thousands.
func (r *Reader) OpenFiles(pid int) (int, error) {
	path := r.Path(pid, "fd")
	var dir unix.Stat_t
	if err := unix.Stat(path, &dir); err != nil {
		return 0, &fs.PathError{Op: "stat", Path: path, Err: gone(err)}
	}
	if dir.Size > 0 && r.Root == "/proc" {
		return int(dir.Size), nil
	}
	n, err := r.process(pid).NumFDsWithContext(r.host())
	return int(n), err
}

// hierarchy is where the groups of one controller are.
type hierarchy struct {
	// dir is the directory of the process's own group, top that of the outermost
	// one we can see.
	dir, top string
	v2       bool
}

// hierarchyOf finds the group of a process that a controller ("cpu", "memory",
// "pids") rules it by: in the hierarchy of that controller (v1), else in the one
// of all (v2). It fails where the group is not in our view of the tree.
func (r *Reader) hierarchyOf(controller string, membership []byte) (hierarchy, error) {
	path, v2, ok := groupPath(membership, controller)
	if !ok {
		return hierarchy{}, fmt.Errorf("no group of %q: %q", controller, clip(membership))
	}
	root, point, ok := mountOf(r.ownMounts(), controller, v2)
	if !ok {
		return hierarchy{}, fmt.Errorf("control groups of %q are not mounted", controller)
	}
	rel, err := filepath.Rel(root, path)
	if err != nil || rel == ".." || len(rel) > 2 && rel[:3] == "../" {
		return hierarchy{}, fmt.Errorf("group %q is outside of our view, %q", path, root)
	}
	top := filepath.Join(filepath.Dir(r.Root), point)
	return hierarchy{dir: filepath.Join(top, rel), top: top, v2: v2}, nil
}

// groupPath reads /proc/PID/cgroup: "4:memory:/app", "3:cpu,cpuacct:/app" (v1),
// "0::/app.slice" (v2). v1 wins: a controller is in one of the two.
func groupPath(membership []byte, controller string) (path string, v2, ok bool) {
	for line := range bytes.Lines(membership) {
		fields := bytes.SplitN(bytes.TrimSuffix(line, []byte("\n")), []byte(":"), 3)
		if len(fields) != 3 {
			continue
		}
		if string(fields[0]) == "0" && len(fields[1]) == 0 {
			path, v2, ok = string(fields[2]), true, true
		}
		for name := range bytes.SplitSeq(fields[1], []byte(",")) {
			if string(name) == controller {
				return string(fields[2]), false, true
			}
		}
	}
	return path, v2, ok
}

// mountOf reads mountinfo: "35 31 0:32 / /sys/fs/cgroup/memory rw - cgroup cgroup
// rw,memory". root is the part of the tree that is mounted there.
func mountOf(mounts []byte, controller string, v2 bool) (root, point string, ok bool) {
	for line := range bytes.Lines(mounts) {
		fields := bytes.Fields(line)
		at := 0
		for at < len(fields) && string(fields[at]) != "-" {
			at++
		}
		if at+3 >= len(fields) || at < 5 {
			continue
		}
		kind, options := string(fields[at+1]), fields[at+3]
		switch {
		case v2 && kind == "cgroup2":
		case !v2 && kind == "cgroup" && hasOption(options, controller):
		default:
			continue
		}
		return string(fields[3]), string(fields[4]), true
	}
	return "", "", false
}

func hasOption(options []byte, want string) bool {
	for o := range bytes.SplitSeq(options, []byte(",")) {
		if string(o) == want {
			return true
		}
	}
	return false
}
