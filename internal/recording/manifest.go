package recording

import (
	"encoding/json"
	"fmt"
	"time"
)

// formatVersion is the version of the recordings written here. Newer ones are refused, as the parts that this release
// does not know would be missing silently. 2 has entries of virtual threads that were read from memory; 1 was before
// the first release.
const formatVersion = 2

// manifestName is the first member of every recording.
const manifestName = "manifest.json"

// Manifest describes a recording: what was requested of which JVM and when, how long it took, how it ended, and where
// the bytes are.
type Manifest struct {
	Format int `json:"format"`
	// Tool is the version of jstall that wrote the recording.
	Tool string `json:"tool"`
	// Host is the name of the machine, empty if unknown; Created has its time zone.
	Host    string    `json:"host,omitempty"`
	Created time.Time `json:"created"`
	JVMs    []JVM     `json:"jvms"`
	// Redacted counts what was replaced, by kind of secret; nil if redaction was not requested.
	Redacted map[string]int `json:"redacted,omitempty"`
}

// JVM is one target of a recording.
type JVM struct {
	// Dir holds its members in the archive.
	Dir    string `json:"dir"`
	Target Target `json:"target"`
	// Cost is what the readings cost the target, in the form that the recorder wrote.
	Cost json.RawMessage `json:"cost,omitempty"`
	// OwnCPUSeconds is what they cost jstall, nil if several JVMs shared the cost.
	OwnCPUSeconds *float64 `json:"ownCpuSeconds,omitempty"`
	// Ended is why the reading is not complete, nil if it is.
	Ended *Failure `json:"ended,omitempty"`
	// RestEnded is why the entries after the readings are not complete, nil if they are. Its phase is the Ask that was
	// cut short, if an Ask was.
	RestEnded *Failure  `json:"restEnded,omitempty"`
	Readings  []Reading `json:"looks"`
}

// Target is what was known of the JVM in addition to the entries.
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
	// Ask is the request, if it was not for the next reading: the last one again, virtual threads, more facts. It is
	// empty for the readings themselves.
	Ask     string `json:"ask,omitempty"`
	Entries []Ref  `json:"entries"`
}

// Ref is an entry without its bytes: they are Length bytes from Offset on in the decompressed Member.
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
	// Sent is what had been sent to the JVM, At when the reading failed.
	Sent []Sent    `json:"sent,omitempty"`
	At   time.Time `json:"at,omitzero"`
}

// Sent is a signal or a command that was sent to a JVM: "SIGQUIT", or the name of the command.
type Sent struct {
	What string    `json:"what"`
	At   time.Time `json:"at"`
}

func (f *Failure) Error() string { return f.Message }

// parseManifest reads a manifest and refuses one that this release cannot replay.
func parseManifest(raw []byte) (Manifest, error) {
	var m Manifest
	if err := unmarshal(raw, &m); err != nil {
		return m, fmt.Errorf("its %s: %w", manifestName, err)
	}
	switch {
	case m.Format < 1:
		return m, fmt.Errorf("its %s names no format version", manifestName)
	case m.Format > formatVersion:
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
		formatVersion)
}
