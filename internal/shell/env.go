// Package shell has what all commands share: their environment, the flags of several commands, exit codes, the texts of
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
	// Args are the arguments without the program's name.
	Args   []string
	Stdin  io.Reader
	Stdout io.Writer
	Stderr io.Writer
	// Getenv returns an environment variable.
	Getenv func(string) string
	// OutWidth and ErrWidth are the columns of the terminals behind Stdout and Stderr, 0 without a terminal.
	OutWidth, ErrWidth int
	// ProcRoot is where /proc is mounted.
	ProcRoot        string
	Version, Commit string
	// Commands are the names of the commands, for hints about words that are like one.
	Commands []string
	// Piped is standard output if a file is written to it, nil otherwise.
	Piped io.Writer
}

// Say prints on standard error. A message that cannot be written there is lost, as there is no other place for it.
func (e *Env) Say(format string, args ...any) { _, _ = fmt.Fprintf(e.Stderr, format, args...) }

// MessagesToStderr is the environment of a command that writes a file to standard output: its
// messages go to standard error.
func (e *Env) MessagesToStderr() *Env {
	out := *e
	out.Piped, out.Stdout, out.OutWidth = e.Stdout, e.Stderr, e.ErrWidth
	return &out
}

// Colored reports whether the report may use colour. --color decides first, then NO_COLOR, then whether standard output
// is a terminal.
func (e *Env) Colored(flag string) bool {
	switch {
	case flag == "always":
		return true
	case flag == "never", e.Getenv("NO_COLOR") != "", e.Getenv("TERM") == "dumb":
		return false
	}
	return e.OutWidth > 0
}

// Harmless is standard output for text from others, which may hold control sequences. On a terminal they are escaped;
// elsewhere they stay. flush writes an unfinished last line.
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

// UsualWidth is the width of a terminal that does not report its width, such as a serial line.
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

// Complain prints an error and its remedy. Both may contain names of programs and files of other users.
func (e *Env) Complain(message, hint string) {
	if message != "" {
		e.Say("jstall: %s\n", render.Escape(message))
	}
	if hint != "" {
		e.Say("  hint: %s\n", render.Escape(hint))
	}
}
