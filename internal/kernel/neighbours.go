package kernel

import (
	"bytes"
	"maps"
	"os"
	"path/filepath"
	"sync"
	"time"

	unix "github.com/jstall/jstall/internal/posix"
)

// sameMoment is how far apart two readings may be of what is the same for all
// processes, to be made once.
const sameMoment = 50 * time.Millisecond

// machineFiles are those of [Reader.Surroundings] that tell of no process alone.
var machineFiles = [...]struct{ name, path string }{
	{"stat", "stat"}, {"loadavg", "loadavg"},
	{"pid_max", "sys/kernel/pid_max"}, {"threads-max", "sys/kernel/threads-max"},
	{"pressure/cpu", "pressure/cpu"}, {"pressure/memory", "pressure/memory"}, {"pressure/io", "pressure/io"},
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

// share adds the machine's files, and the other processes' stat lines, to those of a
// process.
func (m *moment) share(r *Reader, files Files, pid int) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.given == nil || m.given[pid] || time.Since(m.taken) > sameMoment {
		m.take(r)
	}
	m.given[pid] = true
	maps.Copy(files, m.files)
	var lines bytes.Buffer
	for _, p := range m.stats {
		if p.pid != pid {
			lines.Write(p.line)
		}
	}
	files[processCPU] = lines.Bytes()
}

func (m *moment) take(r *Reader) {
	m.files, m.given = Files{}, map[int]bool{}
	for _, f := range machineFiles {
		m.files.add(f.name, filepath.Join(r.Root, f.path))
	}
	m.stats = r.processStats()
	m.taken = time.Now()
}

// processStats reads the stat lines of all processes but ourselves, none if they are too
// many: 8 µs each. gopsutil takes 18 µs; see [Stat] for what its figures lack.
func (r *Reader) processStats() []processStat {
	pids, err := r.PIDs()
	if err != nil || len(pids) > mostProcesses {
		return nil
	}
	own := os.Getpid()
	stats := make([]processStat, 0, len(pids))
	var buf []byte
	for _, pid := range pids {
		if pid == own {
			continue
		}
		text, err := readFile(unix.AT_FDCWD, r.Path(pid, "stat"), buf)
		if err == nil {
			stats, buf = append(stats, processStat{pid, bytes.Clone(text)}), text
		}
	}
	return stats
}
