package form

import (
	"bytes"
	"errors"
	"io/fs"
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

// AddCollection adds which GC was in progress.
func AddCollection(c *timeline.Counters, e recording.Entry) {
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

// isAbsent reports whether an error means that there is no such process. A recorded error has only its text.
func isAbsent(err error) bool {
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ESRCH) {
		return true
	}
	f := (*recording.Failure)(nil)
	return errors.As(err, &f) &&
		(strings.HasSuffix(f.Message, syscall.ESRCH.Error()) || strings.HasSuffix(f.Message, syscall.ENOENT.Error()))
}

// ProcessOf reads a sample's entries about the process as a whole.
func ProcessOf(entries []recording.Entry) *timeline.Process {
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
		case e.Name == FileFrozen:
			p.Frozen = kernel.ParseFrozen(e.Bytes)
		case e.Name == FileClients:
			p.Clients = bytes.Count(e.Bytes, []byte("\n"))
		case e.Name == FileVMStat:
			p.OOMKills = afterWord(e.Bytes, "oom_kill")
		case e.Name == FileCrash:
			p.CrashLog = string(e.Bytes)
		case e.Name == FileAge:
			if ns, err := strconv.ParseInt(string(e.Bytes), 10, 64); err == nil {
				p.Age = threaddump.Known(time.Duration(ns))
			}
		case e.Name == FileRelease:
			p.Release, _ = strconv.Atoi(string(e.Bytes))
		}
	}
	return p
}

// FileAge is the name of the entry with the process's age in nanoseconds, fileRelease that of the entry with the JVM's
// feature release, 0 if unknown.
const (
	FileAge     = "process/age"
	FileRelease = "process/release"
)

// addStat reads the fields that kernel.ParseStat leaves out: the major faults (field 12), and the exit status of a
// zombie (field 52).
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

// afterWord is the number after the first word of the line that begins with it.
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
