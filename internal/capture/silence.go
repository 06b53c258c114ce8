package capture

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/jstall/jstall/analysis/timeline"
	"github.com/jstall/jstall/internal/kernel"
	"github.com/jstall/jstall/internal/recording"
	"github.com/jstall/jstall/internal/source/form"
	"github.com/jstall/jstall/threaddump"
)

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
			seen.Tasks = form.ParseAllTasks(e.Bytes)
		default:
			o.beside(&seen, e)
			form.AddCollection(seen.Counters, e)
		}
	}
	if _, full := files["stat"]; full {
		seen.Machine = form.Machine(files)
	}
	if len(entries) > 0 {
		seen.Process = form.ProcessOf(entries)
	}
	return seen
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
	return []recording.Entry{{Kind: recording.Kernel, Name: form.FileCrash, Bytes: []byte(g.path), At: at}}
}

func (g *crashLog) close() {
	if g != nil {
		_ = g.folder.Close()
	}
}
