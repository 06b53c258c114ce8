package recording

import (
	"fmt"
	"io"
	"path"
	"strings"
)

// FlightRecordings are the names of the flight recordings that the archive has of a JVM. Only the Java tool adds any.
func (r *Recording) FlightRecordings(j JVM) (names []string) {
	if !r.foreignFormat {
		return nil
	}
	for _, m := range r.order {
		if strings.HasPrefix(m.Name, j.Dir+"/"+foreignFlight+"/") && path.Ext(m.Name) == ".jfr" {
			names = append(names, m.Name)
		}
	}
	return names
}

// OpenMember opens a member by its name.
func (r *Recording) OpenMember(name string) (io.ReadCloser, error) {
	p, err := r.payload(name)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", r.name, err)
	}
	return bounded{p, r}, nil
}

// bounded counts what a member unpacks to.
type bounded struct {
	*payload
	recording *Recording
}

func (b bounded) Read(p []byte) (int, error) {
	n, err := b.payload.Reader.Read(p)
	if tooMuch := b.recording.unpacked.add(int64(n)); tooMuch != nil {
		return n, tooMuch
	}
	return n, err
}

// Close ends reading.
func (b bounded) Close() error { return b.payload.file.Close() }
