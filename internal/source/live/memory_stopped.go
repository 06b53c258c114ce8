package live

import (
	"context"

	"github.com/jstall/jstall/attach"
	"github.com/jstall/jstall/internal/source"
	"github.com/jstall/jstall/internal/source/unresponsive"
)

// standing is why a JVM is not asked for a reading, nil if it is asked: the reason in the request, or that it is
// stopped. If the memory may not be read, the reading reports it.
func (l *Source) standing(ctx context.Context, r source.Request) error {
	if r.Standing == nil && l.TellStopped && l.Via == source.ViaMemory && l.Memory().MayRead(ctx) {
		return l.whyStopped()
	}
	return r.Standing
}

// whyStopped is why a JVM that does not run is not asked, nil if it runs.
func (l *Source) whyStopped() error {
	pulses := unresponsive.Pulses{Kernel: l.Kernel, Process: l.Process}
	p, err := pulses.Take()
	cause := ""
	switch {
	case err != nil: // the reading has the reason
	case p.State == "t":
		cause = "a debugger has stopped it"
	case p.State == "T":
		cause = "it is stopped (SIGSTOP)"
	case p.Frozen:
		cause = "its control group is frozen"
	}
	if cause == "" {
		return nil
	}
	return unresponsive.Unasked(l.Process.PID, attach.CodeStopped, cause)
}
