package kernel

import (
	"bytes"
	"maps"
	"os"
	"path/filepath"
	"time"
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
	m.stats = processStats(r)
	m.taken = time.Now()
}

// processStats reads the stat lines of all processes but ourselves, none if they are too
// many: 8 µs each. gopsutil takes 18 µs; see [Stat] for what its figures lack.
func processStats(r *Reader) []processStat {
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
		text, err := readAgain(r.Path(pid, "stat"), buf)
		if err == nil {
			stats, buf = append(stats, processStat{pid, bytes.Clone(text)}), text
		}
	}
	return stats
}

// mostProcesses bounds how many processes are looked at for neighbours: 8 µs
// each.
const mostProcesses = 1000
