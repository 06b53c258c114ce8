package kernel

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

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
func hierarchyOf(r *Reader, controller string, membership []byte) (hierarchy, error) {
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

// mostAncestors bounds how many control groups above a process are read.
const mostAncestors = 64

// controlGroup is one group of a controller's hierarchy.
type controlGroup struct {
	dir string // where we read it
	// top is the directory above /proc and /sys: "/" on a live system.
	top string
}

func (g controlGroup) read(file string) []byte {
	text, err := os.ReadFile(filepath.Join(g.dir, file))
	if err != nil {
		return nil
	}
	return text
}

// visible is the path of a file of the group on the live system.
func (g controlGroup) visible(file string) string {
	return "/" + strings.TrimLeft(strings.TrimPrefix(filepath.Join(g.dir, file), g.top), "/")
}

// groups are the control groups of a controller above a process, the innermost first;
// none where they are not in our view.
func groups(r *Reader, pid int, controller string) []controlGroup {
	membership, err := r.ReadFile(pid, "cgroup")
	if err != nil {
		return nil
	}
	return groupsOf(r, membership, controller)
}

// ownGroups are those above this process.
func ownGroups(r *Reader, controller string) []controlGroup {
	membership, err := os.ReadFile(filepath.Join(r.Root, "self", "cgroup"))
	if err != nil {
		return nil
	}
	return groupsOf(r, membership, controller)
}

func groupsOf(r *Reader, membership []byte, controller string) []controlGroup {
	h, err := hierarchyOf(r, controller, membership)
	if err != nil {
		return nil
	}
	var all []controlGroup
	for dir := h.dir; len(all) < mostAncestors; dir = filepath.Dir(dir) {
		all = append(all, controlGroup{dir, filepath.Dir(r.Root)})
		if dir == h.top || len(dir) <= len(h.top) {
			break
		}
	}
	return all
}
