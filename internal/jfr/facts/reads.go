package facts

import (
	"strings"
	"time"
)

// socketRead takes in that a thread waited for an answer: it read in a library that the application has called. A read
// by the application itself, or by a thread of a library, may be of a connection without requests.
func (s *sums) socketRead(e *event) {
	if !e.calls().asks {
		return
	}
	host := e.text("host")
	if host == "" {
		host = e.text("address")
	}
	if host != "" {
		s.wait(s.replies, thing{peer: withPort(e.short(host), e.number("port"))}, e)
	}
}

// slowRead is the shortest read of a file that counts, whatever the recording has: shorter ones are what disks take.
const slowRead = 20 * time.Millisecond

// fileRead takes in a slow read of a file. Devices and what has no path, as standard input, wait for somebody.
func (s *sums) fileRead(e *event) {
	if e.took() < slowRead {
		return
	}
	path := e.text("path")
	if path != "" && !strings.HasPrefix(path, "/dev/") {
		s.wait(s.files, thing{peer: e.short(path)}, e)
	}
}
