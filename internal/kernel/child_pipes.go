package kernel

import (
	"bytes"
	"os"
	"strconv"
	"strings"
)

// What a child process does at a pipe of which its parent has the other end, as the third
// word of its line in childPlaces.
const (
	readsFromParent  = "reads"
	writesIntoParent = "writes"
	// waitsForSibling is of a pipe between two children, such as a shell makes for them.
	waitsForSibling = "sibling"
)

// pipeEnds are the pipes that a process has open, by what it may do: its ends.
type pipeEnds struct{ readable, writable map[string]bool }

// serve reports whether these ends can end a wait at a place of the kernel's: a reader waits for a
// writer of the pipe, and a writer for a reader.
func (e pipeEnds) serve(place, pipe string) bool {
	if strings.HasSuffix(place, "pipe_read") {
		return e.writable[pipe]
	}
	return e.readable[pipe]
}

// pipes are those of the children of a process.
type pipes struct {
	*Reader
	ends     func() pipeEnds         // of the process
	siblings func() map[int]pipeEnds // of the children, by their ids
}

// at returns how a child that sleeps at a place of the kernel's waits for its
// parent, as the further words of its line: for something to read, or
// for room; or that it waits for another child. It is empty where it waits for anything else, or where
// that cannot be seen.
func (p pipes) at(child int, place string) string {
	if !strings.HasSuffix(place, "pipe_read") && !strings.HasSuffix(place, "pipe_write") {
		return ""
	}
	text, err := p.ReadFile(child, "syscall")
	if err != nil {
		return ""
	}
	fd, ok := descriptorIn(text, fileCalls())
	if !ok {
		return ""
	}
	pipe, err := os.Readlink(p.Path(child, "fd", strconv.Itoa(fd)))
	if err != nil || !strings.HasPrefix(pipe, "pipe:[") {
		return ""
	}
	if p.ends().serve(place, pipe) {
		word := writesIntoParent
		if strings.HasSuffix(place, "pipe_read") {
			word = readsFromParent
		}
		return " " + word + p.turns(child)
	}
	for pid, theirs := range p.siblings() {
		if pid != child && theirs.serve(place, pipe) {
			return " " + waitsForSibling
		}
	}
	return ""
}

// turns is how often the first thread of a process was given a CPU, as a word; empty where
// the kernel does not count it.
func (p pipes) turns(pid int) string {
	text, err := p.ReadFile(pid, "schedstat")
	if err != nil {
		return ""
	}
	s, err := ParseSchedstat(text)
	if err != nil || s.Turns == 0 {
		return ""
	}
	return " " + strconv.FormatInt(s.Turns, 10)
}

// pipeEnds reads which ends of pipes a process has open, as far as we may.
func (r *Reader) pipeEnds(pid int) pipeEnds {
	ends := pipeEnds{map[string]bool{}, map[string]bool{}}
	for _, file := range r.openFiles(pid, mostDescriptors) {
		if !strings.HasPrefix(file.Path, "pipe:[") {
			continue
		}
		info, err := r.ReadFile(pid, "fdinfo/"+strconv.FormatUint(file.Fd, 10))
		if err != nil {
			continue
		}
		if mayWrite(info) {
			ends.writable[file.Path] = true
		} else {
			ends.readable[file.Path] = true
		}
	}
	return ends
}

// mayWrite reads how a file was opened: "flags:\t0100001", octal.
func mayWrite(fdinfo []byte) bool {
	const accessMode = 3
	_, rest, _ := bytes.Cut(fdinfo, []byte("flags:"))
	line, _, _ := bytes.Cut(rest, []byte("\n"))
	flags, err := strconv.ParseUint(string(bytes.TrimSpace(line)), 8, 64)
	return err == nil && flags&accessMode != 0
}
