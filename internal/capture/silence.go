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

	"github.com/jstall/jstall/internal/kernel"
	"github.com/jstall/jstall/internal/recording"
	"github.com/jstall/jstall/internal/source/form"
)

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
