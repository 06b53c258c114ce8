package session

import (
	"strings"

	"github.com/jstall/jstall/internal/jvm"
	"github.com/jstall/jstall/internal/redact"
	"github.com/jstall/jstall/internal/source"
	"github.com/jstall/jstall/internal/source/recorded"
)

// Redacting wraps a source and removes the secrets from its entries.
func Redacting(r *redact.Redactor, src source.Source) source.Source {
	if r == nil {
		return src
	}
	return &recorded.Redacted{Source: src, By: r}
}

// RedactTargets removes the secrets from the facts about the processes, and remembers the names of their users.
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

// RedactedProcess returns a process without the secrets in its names.
func RedactedProcess(r *redact.Redactor, p jvm.Process) jvm.Process {
	p.User = string(r.Text([]byte(p.User)))
	p.MainClass = string(r.Text([]byte(p.MainClass)))
	return p
}
