package kernel

import (
	"bytes"
	"path/filepath"
)

// Frozen returns the file in which the control group of a process says whether it
// is frozen, as by "docker pause": freezer.state in version 1, cgroup.events in
// version 2; nil where it cannot be read. The states of the threads do not tell:
// they are D in version 1 and S in version 2.
func (r *Reader) Frozen(pid int) []byte {
	membership, err := r.ReadFile(pid, "cgroup")
	if err != nil {
		return nil
	}
	h, err := hierarchyOf(r, "freezer", membership)
	if err != nil {
		return nil
	}
	name := "freezer.state"
	if h.v2 {
		name = "cgroup.events"
	}
	file := Files{}
	file.add(name, filepath.Join(h.dir, name))
	return file[name]
}

// ParseFrozen reads what Frozen returned: "FROZEN", "FREEZING" or "THAWED", or
// lines such as "frozen 1".
func ParseFrozen(text []byte) bool {
	return bytes.HasPrefix(text, []byte("FROZEN")) || bytes.HasPrefix(text, []byte("FREEZING")) ||
		bytes.HasPrefix(text, []byte("frozen 1")) || bytes.Contains(text, []byte("\nfrozen 1"))
}
