package source

import (
	"fmt"
)

// Stdin is the file name that means standard input.
const Stdin = "-"

// NameOf is the name of a file in messages.
func NameOf(file string) string {
	if file == Stdin {
		return "standard input"
	}
	return file
}

// UnreadableError says why a file could not be opened. The files after it can still be read.
type UnreadableError struct{ Err error }

func (e *UnreadableError) Error() string { return e.Err.Error() }

func (e *UnreadableError) Unwrap() error { return e.Err }

func InFile(name string, err error) error {
	if name == "" {
		return err
	}
	return fmt.Errorf("%s: %w", NameOf(name), err)
}
