package analysis

import "strings"

// pipeKey tells readers of empty pipes between threads apart, empty for all else.
func pipeKey(s *Sample) string {
	if s.Stack.op.kind != opRead || !s.Stack.inPipe() {
		return ""
	}
	return s.object()
}

// emptyPipes hints at who likely holds up a thread that reads from a pipe between
// threads: one with work in the same classes, and in none of its methods. A reader
// may be meant to wait for whatever comes. told are the readers.
func (f *facts) emptyPipes() (found []candidate, told map[*Sample]bool) {
	told = map[*Sample]bool{}
	at := len(f.snaps) - 1
	for _, g := range f.gather(pipeKey) {
		readers := g.samples()
		writers := f.likelyConsumers(at, readers)
		if len(writers) == 0 || len(f.snaps) < ioDumps {
			continue
		}
		for _, r := range readers {
			told[r] = true
		}
		found = append(found, candidate{Finding: Finding{
			Severity: Info, Confidence: Possible,
			Title: readers[0].Thread.called() + " waits to read from a pipe of this JVM; " + seemsOf(writers) +
				" to write to it, and " + f.doing(writers),
			Advice:   "Nothing tells whether more should have come by now: a reader that waits for whatever comes looks the same.",
			Culprits: f.refs(writers), Victims: f.refs(readers), Resource: atResource("pipe", readers[0]),
			Evidence: append(f.waitEvidence(at, readers), f.standEvidence(at, writers)...),
		}})
	}
	return found, told
}

// namedPipe words the FIFO that a thread waits for, empty for any other file.
func (t Task) namedPipe() string {
	switch {
	case t.File != "named-pipe":
		return ""
	case t.Peer == "":
		return "a named pipe"
	}
	return "the named pipe " + t.Peer
}

func (w ioWaiter) onNamedPipe() bool { return strings.Contains(w.from, "named pipe") }
