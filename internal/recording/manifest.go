package recording

import (
	"encoding/json"
	"fmt"
	"time"
)

// FormatVersion is that of the recordings written here; newer ones are refused, as what they hold beyond would be
// missing without a word. 2 has entries of virtual threads that were read from memory; 1 was before the first release.
const FormatVersion = 2

// ManifestName is the first member of every recording.
const ManifestName = "manifest.json"

// Manifest says what is in a recording: what was asked of which JVM and when, how
// long it took and how it ended, and where the bytes are.
type Manifest struct {
	Format int `json:"format"`
	// Tool is the version of jstall that wrote the recording.
	Tool string `json:"tool"`
	// Host is the name of the machine, empty if unknown; Created has its time zone.
	Host    string    `json:"host,omitempty"`
	Created time.Time `json:"created"`
	JVMs    []JVM     `json:"jvms"`
	// Redacted counts what was replaced, by kind of secret; nil where nothing was asked for.
	Redacted map[string]int `json:"redacted,omitempty"`
}

// JVM is one target of a recording.
type JVM struct {
	// Dir holds its members in the archive.
	Dir    string `json:"dir"`
	Target Target `json:"target"`
	// Cost is what the readings cost the target, as who took them wrote it.
	Cost json.RawMessage `json:"cost,omitempty"`
	// OwnCPUSeconds is what they cost us, nil where several JVMs shared it.
	OwnCPUSeconds *float64 `json:"ownCpuSeconds,omitempty"`
	// Ended is why the reading is not whole, nil if it is.
	Ended *Failure `json:"ended,omitempty"`
	// RestEnded is why what was taken after the readings is not whole, nil if it is. Its
	// phase is the Ask that was cut short, if it was one.
	RestEnded *Failure  `json:"restEnded,omitempty"`
	Readings  []Reading `json:"looks"`
}

// Target is what was known of the JVM besides the entries.
type Target struct {
	PID         int    `json:"pid"`
	NSPID       int    `json:"namespacePid,omitempty"`
	Name        string `json:"name"`
	User        string `json:"user,omitempty"`
	Container   string `json:"container,omitempty"`
	VMName      string `json:"vmName,omitempty"`
	JavaVersion string `json:"javaVersion,omitempty"`
	Major       int    `json:"major,omitempty"`
	AgeNanos    int64  `json:"ageNanos"`
}

// Reading has the entries that were taken together, in their order.
type Reading struct {
	// Ask says what was asked for beyond the next reading: the last one again, virtual
	// threads, more facts. It is empty for the readings themselves.
	Ask     string `json:"ask,omitempty"`
	Entries []Ref  `json:"entries"`
}

// Ref is an entry without its bytes: they are Length bytes from Offset on in
// the decompressed Member.
type Ref struct {
	Kind   Kind     `json:"kind"`
	Name   string   `json:"name,omitempty"`
	At     int64    `json:"atNanos"`
	Took   int64    `json:"tookNanos,omitempty"`
	Member string   `json:"member,omitempty"`
	Offset int64    `json:"offset,omitempty"`
	Length int64    `json:"length,omitempty"`
	Error  *Failure `json:"error,omitempty"`
}

// Failure is an error that outlives the process in which it arose.
type Failure struct {
	Phase   string `json:"phase,omitempty"`
	Code    string `json:"code,omitempty"`
	Message string `json:"message"`
	Remedy  string `json:"remedy,omitempty"`
	// Sent is what the JVM had been sent, At when the reading had failed.
	Sent []Sent    `json:"sent,omitempty"`
	At   time.Time `json:"at,omitzero"`
}

// Sent is something that a JVM was sent: "SIGQUIT", or the name of a command.
type Sent struct {
	What string    `json:"what"`
	At   time.Time `json:"at"`
}

func (f *Failure) Error() string { return f.Message }

// parseManifest reads a manifest and refuses what this release cannot replay.
func parseManifest(raw []byte) (Manifest, error) {
	var m Manifest
	if err := unmarshal(raw, &m); err != nil {
		return m, fmt.Errorf("its %s: %w", ManifestName, err)
	}
	switch {
	case m.Format < 1:
		return m, fmt.Errorf("its %s names no format version", ManifestName)
	case m.Format > FormatVersion:
		return m, &NewerError{m.Format, m.Tool}
	}
	return m, nil
}

// NewerError is the refusal of a recording whose format is newer than FormatVersion.
type NewerError struct {
	Format int
	// Tool is the version of jstall that wrote it.
	Tool string
}

func (e *NewerError) Error() string {
	return fmt.Sprintf("it has format %d, made by a newer jstall (%s); this one reads up to %d", e.Format, e.Tool,
		FormatVersion)
}
