package session

import (
	"regexp"
	"strconv"
	"strings"
	"sync"

	"github.com/jstall/jstall/analysis"
	"github.com/jstall/jstall/internal/shell"
	"github.com/jstall/jstall/internal/source/file"
	"github.com/jstall/jstall/internal/source/recorded"
)

// DescribeTarget writes what we know of the target besides its dumps.
func DescribeTarget(r *analysis.Report, t Target) {
	p := t.Process
	switch {
	case p != nil:
	case t.Recorded != nil:
		recorded := recorded.ProcessOf(t.Recorded.JVM.Target)
		p = &recorded
	case len(t.Files) > 0:
		if r.Target.File == "" { // else it is some of them
			r.Target.File = t.FileNames()
		}
		return
	default: // one that was not found
		r.Target.PID, _ = strconv.Atoi(t.Word)
		switch {
		case LooksLikePath(t.Word):
			r.Target.File = t.Word
		case r.Target.PID == 0:
			r.Target.MainClass = t.Word
		}
		return
	}
	r.Target.PID, r.Target.MainClass, r.Target.User = p.PID, p.Name(), p.User
	if r.Target.JVM == "" {
		r.Target.JVM = p.VMName
	}
	if p.JavaVersion != "" {
		r.Target.Version = p.JavaVersion
	}
	if uptime := p.Age.Seconds(); uptime > 0 {
		r.Target.UptimeSeconds = &uptime
	}
}

// anyRecording is the placeholder in advice for the file, which the analysis does not know.
const anyRecording = "FILE.jfr"

// nameRecording writes the name of the flight recording into advice that asks for it.
func nameRecording(r *analysis.Report, t Target) {
	if r.Capture.Recorded == nil || len(t.Files) != 1 || t.Files[0] == shell.Standard {
		return
	}
	for i := range r.Findings {
		f := &r.Findings[i]
		f.Advice = strings.ReplaceAll(f.Advice, anyRecording, file.ShellWord(t.Files[0]))
	}
	for i := range r.Warnings {
		r.Warnings[i] = strings.ReplaceAll(r.Warnings[i], anyRecording, file.ShellWord(t.Files[0]))
	}
}

// pidInAdvice is the placeholder in advice for the process, which the analysis does not know.
var pidInAdvice = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\bPID\b`) })
