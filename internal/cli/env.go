// Package cli is the command line: one file per command, flags to option
// structs, the wording of errors, and the exit codes.
package cli

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
	// OutWidth and ErrWidth are the columns of the terminals behind Stdout and
	// Stderr, 0 where there is none.
	OutWidth, ErrWidth int
	// ProcRoot is where /proc is mounted.
	ProcRoot        string
	Version, Commit string
	// Commands are the names of the commands, for hints to words that look like one.
	Commands []string
	// piped is standard output where a file is written to it, nil elsewhere.
	piped io.Writer
}

// say prints on standard error. A message that cannot be written there is lost: no other place is left to say so.
func (e *Env) say(format string, args ...any) { _, _ = fmt.Fprintf(e.Stderr, format, args...) }

// messagesToStderr is the environment of a command that writes a file to standard output: its
// messages go to standard error.
func (e *Env) messagesToStderr() *Env {
	out := *e
	out.piped, out.Stdout, out.OutWidth = e.Stdout, e.Stderr, e.ErrWidth
	return &out
}

// colored reports whether the report may use colour: --color rules, then
// NO_COLOR, then whether standard output is a terminal.
func (e *Env) colored(flag string) bool {
	switch {
	case flag == "always":
		return true
	case flag == "never", e.Getenv("NO_COLOR") != "", e.Getenv("TERM") == "dumb":
		return false
	}
	return e.OutWidth > 0
}

// harmless is standard output for text of others, which may hold sequences that a terminal acts on. They are escaped
// on a terminal, and stay elsewhere. flush writes a last line that has no end.
func (e *Env) harmless() (out io.Writer, flush func() error) {
	if e.OutWidth == 0 {
		return e.Stdout, func() error { return nil }
	}
	terminal := render.NewHarmless(e.Stdout)
	return terminal, terminal.Flush
}

// isFile reports whether a target word names something on disk.
func isFile(name string) bool {
	_, err := os.Stat(name)
	return err == nil
}

// usualWidth is that of a terminal which does not tell its own, as a serial line.
const usualWidth = 80

// Columns is the width of the terminal behind a file, 0 if there is none.
func Columns(f *os.File) int {
	width, _, err := term.GetSize(int(f.Fd()))
	switch {
	case err != nil:
		return 0
	case width < 1:
		return usualWidth
	}
	return width
}
