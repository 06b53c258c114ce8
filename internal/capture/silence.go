package capture

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/jstall/jstall/analysis/timeline"
	"github.com/jstall/jstall/internal/jvm"
	"github.com/jstall/jstall/internal/kernel"
	"github.com/jstall/jstall/internal/recording"
	"github.com/jstall/jstall/threaddump"
)

// The names of entries that only a silent JVM gives rise to.
const (
	silentTasks = "all"
	fileFrozen  = "process/frozen"
	fileClients = "process/clients"
	fileVMStat  = "vmstat"
	fileCrash   = "process/hs_err"
)

// writeSilentTasks writes a line per thread: "nid cpuNanos runQueueNanos state
// waitChannel name", the name quoted.
func writeSilentTasks(tasks map[int]kernel.Task) []byte {
	var b bytes.Buffer
	for _, tid := range slices.Sorted(maps.Keys(tasks)) {
		t := tasks[tid]
		waited := int64(-1)
		if t.RunQueue.Known {
			waited = t.RunQueue.Value.Nanoseconds()
		}
		fmt.Fprintf(&b, "%d %d %d %s %s %q\n", t.NSTID, t.CPU.Nanoseconds(), waited, orDash(t.State),
			orDash(t.WaitChannel), t.Comm)
	}
	return b.Bytes()
}

// parseSilentTasks reads what writeSilentTasks wrote; lines that do not fit are
// left out.
func parseSilentTasks(text []byte) map[int64]timeline.Task {
	tasks := map[int64]timeline.Task{}
	for line := range strings.Lines(string(text)) {
		words := strings.SplitN(strings.TrimSuffix(line, "\n"), " ", 6)
		if len(words) != 6 {
			continue
		}
		nid, err := strconv.ParseInt(words[0], 10, 64)
		cpu, cpuErr := strconv.ParseInt(words[1], 10, 64)
		waited, waitErr := strconv.ParseInt(words[2], 10, 64)
		name, nameErr := strconv.Unquote(words[5])
		if errors.Join(err, cpuErr, waitErr, nameErr) != nil {
			continue
		}
		task := timeline.Task{
			Name: name, CPU: time.Duration(cpu), State: undash(words[3]), WaitChannel: undash(words[4]),
		}
		if waited >= 0 {
			task.RunQueue = threaddump.Known(time.Duration(waited))
		}
		tasks[nid] = task
	}
	return tasks
}

// silence hands on what was seen while the JVM did not answer: an observation per
// moment, the last of them with the attempt.
func (o *observer) silence(entries []recording.Entry, failed timeline.Attempt) {
	var moments [][]recording.Entry
	for _, e := range entries {
		if e.Kind == recording.ThreadDump || e.Kind == recording.Jcmd {
			continue
		}
		last := len(moments) - 1
		if last < 0 || moments[last][0].At != e.At {
			moments = append(moments, nil)
			last++
		}
		moments[last] = append(moments[last], e)
	}
	if len(moments) == 0 {
		moments = [][]recording.Entry{nil}
	}
	for i, m := range moments {
		seen := o.moment(m)
		if i == len(moments)-1 {
			seen.Attempt = &failed
		}
		o.add(seen)
	}
}

// moment is what one sample says.
func (o *observer) moment(entries []recording.Entry) timeline.Observation {
	var seen timeline.Observation
	files := kernel.Files{}
	for _, e := range entries {
		seen.At = threaddump.Known(e.At)
		switch {
		case e.Err != nil:
		case e.Kind == recording.Kernel:
			files[e.Name] = e.Bytes
		case e.Kind == recording.Tasks:
			seen.Tasks = parseSilentTasks(e.Bytes)
		default:
			o.beside(&seen, e)
			addCollection(seen.Counters, e)
		}
	}
	if _, full := files["stat"]; full {
		seen.Machine = machine(files)
	}
	if len(entries) > 0 {
		seen.Process = processOf(entries)
	}
	return seen
}

// addCollection says which collection was under way.
func addCollection(c *timeline.Counters, e recording.Entry) {
	data, err := jvm.ParsePerfData(e.Bytes)
	if c == nil || e.Kind != recording.Counters || err != nil {
		return
	}
	for _, collector := range data.Collectors() {
		if collector.Running() {
			c.Collecting, c.CollectingSince = collector.Name, timeline.Opt[time.Duration](collector.LastEntry)
		}
	}
}

// isAbsent reports that there is no such process. A recorded error has only its text.
func isAbsent(err error) bool {
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ESRCH) {
		return true
	}
	f := (*recording.Failure)(nil)
	return errors.As(err, &f) &&
		(strings.HasSuffix(f.Message, syscall.ESRCH.Error()) || strings.HasSuffix(f.Message, syscall.ENOENT.Error()))
}

// processOf reads a sample's entries about the process as a whole.
func processOf(entries []recording.Entry) *timeline.Process {
	p := &timeline.Process{}
	for _, e := range entries {
		if e.Err != nil {
			p.Gone = p.Gone || e.Kind == recording.Process && isAbsent(e.Err)
			continue
		}
		switch {
		case e.Kind == recording.Process:
			addStat(p, e.Bytes)
		case e.Name == "process/status":
			addStatus(p, e.Bytes)
		case e.Name == fileFrozen:
			p.Frozen = kernel.ParseFrozen(e.Bytes)
		case e.Name == fileClients:
			p.Clients = bytes.Count(e.Bytes, []byte("\n"))
		case e.Name == fileVMStat:
			p.OOMKills = afterWord(e.Bytes, "oom_kill")
		case e.Name == fileCrash:
			p.CrashLog = string(e.Bytes)
		case e.Name == fileAge:
			if ns, err := strconv.ParseInt(string(e.Bytes), 10, 64); err == nil {
				p.Age = threaddump.Known(time.Duration(ns))
			}
		case e.Name == fileRelease:
			p.Release, _ = strconv.Atoi(string(e.Bytes))
		}
	}
	return p
}

// fileAge is the entry with the process's age in nanoseconds, fileRelease that with
// the JVM's feature release, 0 if unknown.
const (
	fileAge     = "process/age"
	fileRelease = "process/release"
)

// addStat reads what kernel.ParseStat leaves out: the major faults (field 12),
// and of a zombie the status it ended with (field 52).
func addStat(p *timeline.Process, text []byte) {
	stat, err := kernel.ParseStat(text)
	if err != nil {
		return
	}
	p.State, p.Parent = stat.State, stat.PPID
	fields := strings.Fields(string(text[bytes.LastIndexByte(text, ')')+1:]))
	if n, err := strconv.ParseInt(fields[12-3], 10, 64); err == nil {
		p.MajorFaults = threaddump.Known(n)
	}
	const exitCode = 52 - 3
	if stat.State != "Z" || len(fields) <= exitCode {
		return
	}
	if n, err := strconv.Atoi(fields[exitCode]); err == nil {
		if signal := n & 0x7f; signal != 0 {
			p.ExitSignal = threaddump.Known(signal)
		} else {
			p.ExitCode = threaddump.Known(n >> 8)
		}
	}
}

const sigquit = 1 << 2 // signal 3 in a mask

func addStatus(p *timeline.Process, text []byte) {
	st, err := kernel.ParseStatus(text)
	if err != nil {
		return
	}
	p.Tracer = st.TracerPID
	p.CatchesQuit, p.IgnoresQuit = st.SigCgt&sigquit != 0, st.SigIgn&sigquit != 0
	if kb := afterWord(text, "VmSwap:"); kb.Known {
		p.Swapped = threaddump.Known(kb.Value << 10)
	}
}

// afterWord is the number that follows the first word of a line.
func afterWord(text []byte, word string) timeline.Opt[int64] {
	for line := range bytes.Lines(text) {
		words := bytes.Fields(line)
		if len(words) < 2 || string(words[0]) != word {
			continue
		}
		if n, err := strconv.ParseInt(string(words[1]), 10, 64); err == nil {
			return threaddump.Known(n)
		}
	}
	return timeline.Opt[int64]{}
}

// listenerLines are the lines of /proc/PID/net/unix for connections to the
// target's attach listener: those in state 02 wait to be accepted, those in 03 are.
// The kernel has them under the name that the JVM bound before it renamed the socket.
func (l *Live) listenerLines() []byte {
	p := l.Process
	all, err := l.Kernel.ReadFile(p.PID, "net/unix")
	if err != nil {
		return nil
	}
	end := fmt.Sprintf(" %s.tmp\n", filepath.Join(p.TempDir, ".java_pid"+strconv.Itoa(p.NSPID)))
	var lines []byte
	for line := range bytes.Lines(all) {
		words := bytes.Fields(line)
		connected := len(words) > 7 && (string(words[5]) == "02" || string(words[5]) == "03")
		if connected && bytes.HasSuffix(line, []byte(end)) {
			lines = append(lines, line...)
		}
	}
	return lines
}

// oomLine is the line of /proc/vmstat that counts the processes killed for want
// of memory.
func (l *Live) oomLine() []byte {
	all, err := os.ReadFile(filepath.Join(l.Kernel.Root, "vmstat"))
	if err != nil {
		return nil
	}
	for line := range bytes.Lines(all) {
		if bytes.HasPrefix(line, []byte("oom_kill ")) {
			return slices.Clone(line)
		}
	}
	return nil
}

// crashLog is the file that the JVM writes when it crashes (hs_err_pid). Its folder is opened
// while the JVM runs, since /proc/PID, the path to it, goes with the process.
type crashLog struct {
	folder *os.File
	file   string // in it
	path   string // as the target sees it
}

// openCrashLog opens the folder of the target's crash log; it returns nil where that is not possible.
func (l *Live) openCrashLog() *crashLog {
	p := l.Process
	name := fmt.Sprintf("hs_err_pid%d.log", p.NSPID)
	if chosen, ok := p.Flag("ErrorFile"); ok {
		name = strings.ReplaceAll(chosen, "%p", strconv.Itoa(p.NSPID))
	}
	files := l.Kernel.Opener(p.PID)
	defer files.Close()
	folder, err := files.Folder(filepath.Dir(name))
	if err != nil {
		return nil
	}
	g := &crashLog{folder: folder, file: filepath.Base(name), path: name}
	if cwd, err := os.Readlink(l.Kernel.Path(p.PID, "cwd")); err == nil && !filepath.IsAbs(name) {
		g.path = filepath.Join(cwd, name)
	}
	return g
}

// entry returns an entry if the JVM has written its crash log.
func (g *crashLog) entry(at time.Duration) []recording.Entry {
	if g == nil || !kernel.ExistsAt(int(g.folder.Fd()), g.file) {
		return nil
	}
	return []recording.Entry{{Kind: recording.Kernel, Name: fileCrash, Bytes: []byte(g.path), At: at}}
}

func (g *crashLog) close() {
	if g != nil {
		_ = g.folder.Close()
	}
}
