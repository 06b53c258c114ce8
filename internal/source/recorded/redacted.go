package recorded

import (
	"context"
	"io"

	"github.com/jstall/jstall/internal/recording"
	"github.com/jstall/jstall/internal/redact"
	"github.com/jstall/jstall/internal/source"
)

// Redacted is a source that removes the secrets from its entries before any reader gets them, so that report and
// recording agree.
type Redacted struct {
	source.Source
	By *redact.Redactor
}

// propertiesCommand is the diagnostic command that lists the system properties.
const propertiesCommand = "VM.system_properties"

// Next passes a reading on without its secrets.
func (r *Redacted) Next(ctx context.Context, q source.Request) ([]recording.Entry, error) {
	q.Early = nil // an early dump would still have its secrets
	entries, err := r.Source.Next(ctx, q)
	return r.Entries(entries), err
}

// Entries returns the entries without their secrets.
func (r *Redacted) Entries(entries []recording.Entry) []recording.Entry {
	for i, e := range entries {
		switch {
		case e.Stream != nil:
			entries[i].Stream = &cleaned{Reader: r.By.Reader(e.Stream), Closer: e.Stream}
		case e.Kind == recording.Counters:
			entries[i].Bytes = r.By.Binary(e.Bytes)
		case e.Kind == recording.Jcmd && e.Name == propertiesCommand:
			entries[i].Bytes = r.By.Properties(e.Bytes)
		default:
			entries[i].Bytes = r.By.Text(e.Bytes)
		}
	}
	return entries
}

// cleaned reads a stream without its secrets.
type cleaned struct {
	io.Reader
	io.Closer
}
