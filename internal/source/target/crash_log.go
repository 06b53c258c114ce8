package target

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/jstall/jstall/internal/kernel"
	"github.com/jstall/jstall/internal/recording"
	"github.com/jstall/jstall/internal/source/form"
)

// CrashLog is the file that the JVM writes when it crashes (hs_err_pid). Its folder is opened while the JVM runs, as
// the path to it, /proc/PID, disappears with the process.
type CrashLog struct {
	folder *os.File
	file   string // in it
	path   string // as the target sees it
}

// OpenCrashLog opens the folder of the target's crash log; it returns nil if that is not possible.
func (l *JVM) OpenCrashLog() *CrashLog {
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
	g := &CrashLog{folder: folder, file: filepath.Base(name), path: name}
	if cwd, err := os.Readlink(l.Kernel.Path(p.PID, "cwd")); err == nil && !filepath.IsAbs(name) {
		g.path = filepath.Join(cwd, name)
	}
	return g
}

// Entry returns an entry if the JVM has written its crash log.
func (g *CrashLog) Entry(at time.Duration) []recording.Entry {
	if g == nil || !kernel.ExistsAt(int(g.folder.Fd()), g.file) {
		return nil
	}
	return []recording.Entry{{Kind: recording.Kernel, Name: form.FileCrash, Bytes: []byte(g.path), At: at}}
}

func (g *CrashLog) Close() {
	if g != nil {
		_ = g.folder.Close()
	}
}
