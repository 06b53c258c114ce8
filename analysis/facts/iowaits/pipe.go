package iowaits

import (
	"strings"

	"jstall/analysis/timeline"
)

// NamedPipe words the FIFO that a thread waits for, empty for any other file.
func NamedPipe(t timeline.Task) string {
	switch {
	case t.File != "named-pipe":
		return ""
	case t.Peer == "":
		return "a named pipe"
	}
	return "the named pipe " + t.Peer
}

func (w Waiter) onNamedPipe() bool { return strings.Contains(w.from, "named pipe") }
