package kernel

import (
	"sync"
	"time"
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

func (f Files) add(name, path string) bool {
	text, err := readFile(path)
	if err != nil {
		return false
	}
	f[name] = text
	return true
}

// moment is what processes that are looked at together see alike of their machine.
type moment struct {
	mu    sync.Mutex
	taken time.Time
	files Files
	stats []processStat
	// given are the processes whose reading it is part of: the next reading of each needs
	// another.
	given map[int]bool
}

type processStat struct {
	pid  int
	line []byte
}
