package cli

import (
	"fmt"

	"jstall/attach"
	"jstall/internal/capture"
)

// refusesVirtual is the error of --virtual always for a JVM that the list of its virtual threads can crash.
func (l *capturer) refusesVirtual(t target) error {
	if !t.isLive() || l.options.virtual != capture.VirtualAlways {
		return nil
	}
	live := &capture.Live{Kernel: l.kernel, Process: *t.process}
	err := live.RefusesVirtual()
	if e, ok := errAs[*attach.Error](err); ok {
		e.Remedy = "omit --virtual always; no flag overrides this"
	}
	return err
}

// runsJava says that Java code is about to run in the target, whatever standard error is.
func (p *progress) runsJava(t target, command string) {
	p.clear()
	p.mu.Lock()
	defer p.mu.Unlock()
	_, _ = fmt.Fprintf(p.w, "jstall: %s: runs Java code in the JVM to list its virtual threads (%s)\n",
		t.label(), command)
}
