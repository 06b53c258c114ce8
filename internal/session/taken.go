package session

import (
	"cmp"
	"os"
	"time"

	"github.com/jstall/jstall/analysis"
	"github.com/jstall/jstall/internal/redact"
	"github.com/jstall/jstall/internal/shell"
)

// taken says where, when and by which jstall captures of running JVMs are made.
type taken struct {
	Host    string
	At      time.Time
	Version string
}

// TakenNow describes this machine. A Redactor, if there is one, replaces its name.
func TakenNow(env *shell.Env, r *redact.Redactor) taken {
	now := taken{At: time.Now(), Version: env.Version}
	host, err := os.Hostname()
	if err != nil {
		return now
	}
	if now.Host = host; r != nil {
		now.Host = string(r.Text([]byte(host)))
	}
	return now
}

// stamp writes it into a report. For a recording it takes the values of the manifest; saved dumps have neither a host
// nor a time zone.
func (n taken) stamp(c *analysis.Capture, t Target) {
	switch {
	case t.Recorded != nil:
		m := t.Recorded.Recording.Manifest
		n = taken{Host: cmp.Or(t.Place, m.Host), At: m.Created, Version: m.Tool}
	case len(t.Files) > 0:
		return
	}
	c.Host, c.Jstall = n.Host, n.Version
	if !n.At.IsZero() {
		c.Time = n.At.Format(time.RFC3339)
	}
}
