// Package shell is what all commands share: their environment, the flags of several commands, exit codes, the texts of
// errors, and output files.
package shell

import (
	"fmt"
	"io"
	"os"

	"golang.org/x/term"

	"github.com/jstall/jstall/internal/render"
)

// Env is the environment that a command runs in; tests pass their own.
type Env struct {
	// Args without the program's name.
	Args   []string
	Stdin  io.Reader
	Stdout io.Writer
	Stderr io.Writer
	// Getenv looks an environment variable up.
	Getenv func(string) string
	// OutWidth and ErrWidth are the columns of the terminals behind Stdout and Stderr, 0 without a terminal.
	OutWidth, ErrWidth int
	// ProcRoot is where /proc is mounted.
	ProcRoot        string
	Version, Commit string
	// Commands are the names of the commands, for hints to words that look like one.
	Commands []string
	// Piped is standard output where a file is written to it, nil elsewhere.
	Piped io.Writer
}

// Say prints on standard error. A message that cannot be written there is lost: no other place is left to say so.
func (e *Env) Say(format string, args ...any) { _, _ = fmt.Fprintf(e.Stderr, format, args...) }

// MessagesToStderr is the environment of a command that writes a file to standard output: its
// messages go to standard error.
func (e *Env) MessagesToStderr() *Env {
	out := *e
	out.Piped, out.Stdout, out.OutWidth = e.Stdout, e.Stderr, e.ErrWidth
	return &out
}

// Colored reports whether the report may use colour: --color rules, then
// NO_COLOR, then whether standard output is a terminal.
func (e *Env) Colored(flag string) bool {
	switch {
	case flag == "always":
		return true
	case flag == "never", e.Getenv("NO_COLOR") != "", e.Getenv("TERM") == "dumb":
		return false
	}
	return e.OutWidth > 0
}

// Harmless is standard output for text of others, which may hold sequences that a terminal acts on. They are escaped
// on a terminal, and stay elsewhere. flush writes a last line that has no end.
func (e *Env) Harmless() (out io.Writer, flush func() error) {
	if e.OutWidth == 0 {
		return e.Stdout, func() error { return nil }
	}
	terminal := render.NewHarmless(e.Stdout)
	return terminal, terminal.Flush
}

// IsFile reports whether a target word names something on disk.
func IsFile(name string) bool {
	_, err := os.Stat(name)
	return err == nil
}

// UsualWidth is that of a terminal which does not tell its own, as a serial line.
const UsualWidth = 80

// Columns is the width of the terminal behind a file, 0 without a terminal.
func Columns(f *os.File) int {
	width, _, err := term.GetSize(int(f.Fd()))
	switch {
	case err != nil:
		return 0
	case width < 1:
		return UsualWidth
	}
	return width
}

// Complain prints an error and what to do about it. Both may quote what other
// users named their programs and files.
func (e *Env) Complain(message, hint string) {
	if message != "" {
		e.Say("jstall: %s\n", render.Escape(message))
	}
	if hint != "" {
		e.Say("  hint: %s\n", render.Escape(hint))
	}
}
