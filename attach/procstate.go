package attach

import (
	"bytes"
	"errors"
	"fmt"
	"path/filepath"
	"strconv"
	"strings"
)

// sigquit is the bit of SIGQUIT (signal 3) in the signal masks of a status file.
const sigquit = 1 << 2

// status is what /proc/PID/status says that matters here.
type status struct {
	state    string // "S (sleeping)"
	tgid     int    // of the process, if this is one of its threads
	tracer   int    // process id of the debugger, 0 without one
	uid, gid uint32 // effective
	groups   []uint32
	nspid    int // in the innermost pid namespace
	depth    int // how many pid namespaces the process is in, of those that /proc shows
	threads  int
	caught   uint64
	ignored  uint64
	pending  uint64 // sent to the process or to its first thread, and not delivered
	effCaps  uint64
}

// parseStatus reads a status file. State and Uid are there in every one; what
// older kernels lack stays zero.
func parseStatus(b []byte) (status, error) {
	var s status
	for line := range strings.Lines(string(b)) {
		key, value, ok := strings.Cut(strings.TrimRight(line, "\n"), ":\t")
		if !ok {
			continue
		}
		if err := s.set(key, value); err != nil {
			return s, fmt.Errorf("status line %q: %w", line, err)
		}
	}
	if s.state == "" {
		return s, errors.New("status without State")
	}
	return s, nil
}

func (s *status) set(key, value string) (err error) {
	switch key {
	case "State":
		s.state = value
	case "Tgid":
		s.tgid, err = strconv.Atoi(value)
	case "TracerPid":
		s.tracer, err = strconv.Atoi(value)
	case "Uid":
		s.uid, err = effective(value)
	case "Gid":
		s.gid, err = effective(value)
	case "Groups":
		s.groups, err = ids(value)
	case "NSpid":
		fields := strings.Fields(value)
		if s.depth = len(fields); s.depth > 0 {
			s.nspid, err = strconv.Atoi(fields[len(fields)-1])
		}
	case "Threads":
		s.threads, err = strconv.Atoi(value)
	case "SigPnd", "ShdPnd":
		var mask uint64
		mask, err = strconv.ParseUint(value, 16, 64)
		s.pending |= mask
	case "SigIgn":
		s.ignored, err = strconv.ParseUint(value, 16, 64)
	case "SigCgt":
		s.caught, err = strconv.ParseUint(value, 16, 64)
	case "CapEff":
		s.effCaps, err = strconv.ParseUint(value, 16, 64)
	}
	return err
}

// effective returns the second of the ids "real effective saved filesystem".
func effective(value string) (uint32, error) {
	all, err := ids(value)
	if err == nil && len(all) != 4 {
		err = fmt.Errorf("%d ids, not 4", len(all))
	}
	if err != nil {
		return 0, err
	}
	return all[1], nil
}

func ids(value string) ([]uint32, error) {
	var all []uint32
	for _, f := range strings.Fields(value) {
		n, err := strconv.ParseUint(f, 10, 32)
		if err != nil {
			return nil, err
		}
		all = append(all, uint32(n))
	}
	return all, nil
}

// letter is the state's letter: R, S, D, T, t, Z or X; 0 if unknown.
func (s status) letter() byte {
	if s.state == "" {
		return 0
	}
	return s.state[0]
}

// parseStartTime returns field 22 of a stat file, in clock ticks since boot. The
// name in field 2 may hold blanks and brackets.
func parseStartTime(stat []byte) (uint64, error) {
	end := bytes.LastIndexByte(stat, ')')
	fields := strings.Fields(string(stat[end+1:]))
	const afterName = 22 - 3
	if end < 0 || len(fields) <= afterName {
		return 0, fmt.Errorf("stat of %d fields", len(fields))
	}
	return strconv.ParseUint(fields[afterName], 10, 64)
}

// runtime is what the files mapped into a process say about its JVM.
type runtime string

const (
	noJVM   runtime = "no JVM"
	hotspot runtime = "HotSpot"
	openJ9  runtime = "Eclipse OpenJ9"
)

// mappedRuntime finds the JVM's library among the lines of a maps file. OpenJ9
// has a libjvm.so too, next to its libj9vm29.so. A deleted file counts.
func mappedRuntime(maps []byte) runtime {
	found := noJVM
	for line := range bytes.Lines(maps) {
		i := bytes.LastIndexByte(line, '/')
		if i < 0 {
			continue
		}
		file := bytes.TrimSuffix(bytes.TrimSpace(line[i+1:]), []byte(" (deleted)"))
		switch {
		case bytes.HasPrefix(file, []byte("libj9vm")):
			return openJ9
		case string(file) == "libjvm.so":
			found = hotspot
		}
	}
	return found
}

// freezerFile is a file of a cgroup that holds the text frozen if its processes are.
type freezerFile struct{ path, frozen string }

// freezerFiles returns where, by custom, the freezer's state is for the cgroups
// in a /proc/PID/cgroup file: lines "0::/path" of version 2, which may be mounted
// in addition to version 1, and "7:freezer:/path" of that.
func freezerFiles(cgroups []byte) []freezerFile {
	const root = "/sys/fs/cgroup"
	var files []freezerFile
	for line := range strings.Lines(string(cgroups)) {
		parts := strings.SplitN(strings.TrimSuffix(line, "\n"), ":", 3)
		switch {
		case len(parts) < 3:
		case parts[1] == "freezer":
			files = append(files, freezerFile{filepath.Join(root, "freezer", parts[2], "freezer.state"), "FROZEN"})
		case parts[1] == "":
			files = append(files,
				freezerFile{filepath.Join(root, parts[2], "cgroup.events"), "frozen 1"},
				freezerFile{filepath.Join(root, "unified", parts[2], "cgroup.events"), "frozen 1"})
		}
	}
	return files
}

// countConnections counts the connections that a listening socket has, by the
// path it was bound to, in a /proc/PID/net/unix file: lines in state 02 are
// waiting to be accepted, those in state 03 are accepted.
//
//	0000000000000000: 00000003 00000000 00000000 0001 03 28563 /tmp/.java_pid7.tmp
func countConnections(netUnix []byte, bound string) int {
	n := 0
	for line := range strings.Lines(string(netUnix)) {
		fields := strings.Fields(line)
		if len(fields) > 7 && (fields[5] == "02" || fields[5] == "03") && strings.HasSuffix(line, " "+bound+"\n") {
			n++
		}
	}
	return n
}
