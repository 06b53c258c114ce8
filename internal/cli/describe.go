package cli

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

// describe writes what we know of the target besides its dumps.
func describe(r *analysis.Report, t target) {
	p := t.process
	switch {
	case p != nil:
	case t.recorded != nil:
		recorded := recorded.ProcessOf(t.recorded.jvm.Target)
		p = &recorded
	case len(t.files) > 0:
		if r.Target.File == "" { // else it is some of them
			r.Target.File = t.fileNames()
		}
		return
	default: // one that was not found
		r.Target.PID, _ = strconv.Atoi(t.word)
		switch {
		case looksLikePath(t.word):
			r.Target.File = t.word
		case r.Target.PID == 0:
			r.Target.MainClass = t.word
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

// anyRecording stands in advice for the file, which the analysis does not know.
const anyRecording = "FILE.jfr"

// nameRecording writes the name of the flight recording into advice that asks for it.
func nameRecording(r *analysis.Report, t target) {
	if r.Capture.Recorded == nil || len(t.files) != 1 || t.files[0] == shell.Standard {
		return
	}
	for i := range r.Findings {
		f := &r.Findings[i]
		f.Advice = strings.ReplaceAll(f.Advice, anyRecording, file.ShellWord(t.files[0]))
	}
	for i := range r.Warnings {
		r.Warnings[i] = strings.ReplaceAll(r.Warnings[i], anyRecording, file.ShellWord(t.files[0]))
	}
}

// pidInAdvice stands in advice for the process, which the analysis does not know.
var pidInAdvice = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\bPID\b`) })
