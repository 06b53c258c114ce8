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

// DescribeTarget adds to the report what is known of the target besides its dumps.
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

// anyRecording is the placeholder for the file in advice, as the analysis does not know its name.
const anyRecording = "FILE.jfr"

// nameRecording replaces the placeholder in advice by the name of the flight recording.
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

// pidInAdvice is the placeholder for the process in advice, as the analysis does not know its id.
var pidInAdvice = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\bPID\b`) })
