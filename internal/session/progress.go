package session

import (
	"fmt"
	"io"
	"sync"

	"github.com/jstall/jstall/internal/shell"
)

// Progress shows on a terminal how many dumps are taken.
type Progress struct {
	mu      sync.Mutex
	w       io.Writer
	width   int
	verbose bool
	shown   bool
}

// NewProgress shows progress on a terminal, or with verbose as lines.
func NewProgress(env *shell.Env, verbose bool) *Progress {
	return &Progress{w: env.Stderr, width: env.ErrWidth, verbose: verbose}
}

func (p *Progress) step(t Target, taken, count int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	switch {
	case p.verbose:
		_, _ = fmt.Fprintf(p.w, "jstall: %s: capture %d\n", t.Label(), taken)
	case p.width > 0 && t.Process != nil && taken < count:
		_, _ = fmt.Fprintf(p.w, "\r\x1b[K%s: dump %d of %d", t.Label(), taken, count)
		p.shown = true
	}
}

// noAnswer prints the first message about a JVM that does not answer.
func (p *Progress) noAnswer(t Target) {
	p.mu.Lock()
	defer p.mu.Unlock()
	switch {
	case p.width > 0:
		_, _ = fmt.Fprintf(p.w, "\r\x1b[K%s: no answer yet; reading /proc for the reason", t.Label())
		p.shown = true
	case p.verbose:
		_, _ = fmt.Fprintf(p.w, "jstall: %s: no answer yet; reading /proc for the reason\n", t.Label())
	}
}

// Clear erases the progress line before a report is printed.
func (p *Progress) Clear() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.shown {
		_, _ = fmt.Fprint(p.w, "\r\x1b[K")
		p.shown = false
	}
}

// runsJava prints that Java code is about to run in the target, even if standard error is not a terminal.
func (p *Progress) runsJava(t Target, command string) {
	p.Clear()
	p.mu.Lock()
	defer p.mu.Unlock()
	_, _ = fmt.Fprintf(p.w, "jstall: %s: runs Java code in the JVM to list its virtual threads (%s)\n",
		t.Label(), command)
}

// Waiting prints a message to a user whose command takes long.
func (p *Progress) Waiting(pid int) {
	if p.width > 0 || p.verbose {
		_, _ = fmt.Fprintf(p.w, "jstall: %d: no answer yet; Ctrl-C ends the wait, --timeout limits it\n", pid)
	}
}
