package session

import (
	"strings"

	"github.com/jstall/jstall/internal/jvm"
	"github.com/jstall/jstall/internal/redact"
	"github.com/jstall/jstall/internal/source"
	"github.com/jstall/jstall/internal/source/recorded"
)

// Redacting is a source without the secrets of what it gives.
func Redacting(r *redact.Redactor, src source.Source) source.Source {
	if r == nil {
		return src
	}
	return &recorded.Redacted{Source: src, By: r}
}

// RedactTargets takes the secrets out of what is known of the processes, and
// keeps the names of their users in mind.
func RedactTargets(r *redact.Redactor, targets []Target) {
	for i, t := range targets {
		if t.Place != "" {
			_, host, _ := strings.Cut(t.Place, ":")
			r.Know("host", host)
			targets[i].Place = string(r.Text([]byte(t.Place)))
		}
		if t.Process == nil {
			continue
		}
		r.Know("user", t.Process.User)
		p := RedactedProcess(r, *t.Process)
		targets[i].Process = &p
	}
}

// RedactedProcess is a process without the secrets in its names.
func RedactedProcess(r *redact.Redactor, p jvm.Process) jvm.Process {
	p.User = string(r.Text([]byte(p.User)))
	p.MainClass = string(r.Text([]byte(p.MainClass)))
	return p
}
