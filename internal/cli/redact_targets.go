package cli

import (
	"strings"

	"github.com/jstall/jstall/internal/jvm"
	"github.com/jstall/jstall/internal/redact"
	"github.com/jstall/jstall/internal/source"
	"github.com/jstall/jstall/internal/source/recorded"
)

// redacting is a source without the secrets of what it gives.
func redacting(r *redact.Redactor, src source.Source) source.Source {
	if r == nil {
		return src
	}
	return &recorded.Redacted{Source: src, By: r}
}

// redactTargets takes the secrets out of what is known of the processes, and
// keeps the names of their users in mind.
func redactTargets(r *redact.Redactor, targets []target) {
	for i, t := range targets {
		if t.place != "" {
			_, host, _ := strings.Cut(t.place, ":")
			r.Know("host", host)
			targets[i].place = string(r.Text([]byte(t.place)))
		}
		if t.process == nil {
			continue
		}
		r.Know("user", t.process.User)
		p := redactedProcess(r, *t.process)
		targets[i].process = &p
	}
}

func redactedProcess(r *redact.Redactor, p jvm.Process) jvm.Process {
	p.User = string(r.Text([]byte(p.User)))
	p.MainClass = string(r.Text([]byte(p.MainClass)))
	return p
}
