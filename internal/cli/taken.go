package cli

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
	host    string
	at      time.Time
	version string
}

// takenNow is about this machine, whose name a Redactor replaces if there is one.
func takenNow(env *shell.Env, r *redact.Redactor) taken {
	now := taken{at: time.Now(), version: env.Version}
	host, err := os.Hostname()
	if err != nil {
		return now
	}
	if now.host = host; r != nil {
		now.host = string(r.Text([]byte(host)))
	}
	return now
}

// stamp writes it into a report. Of a recording it is what its manifest tells; saved dumps
// carry neither a host nor a time zone.
func (n taken) stamp(c *analysis.Capture, t target) {
	switch {
	case t.recorded != nil:
		m := t.recorded.recording.Manifest
		n = taken{host: cmp.Or(t.place, m.Host), at: m.Created, version: m.Tool}
	case len(t.files) > 0:
		return
	}
	c.Host, c.Jstall = n.host, n.version
	if !n.at.IsZero() {
		c.Time = n.at.Format(time.RFC3339)
	}
}
