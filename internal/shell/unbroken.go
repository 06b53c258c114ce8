package shell

import (
	"errors"
	"io"
	"slices"
	"syscall"

	"github.com/jstall/jstall/internal/caught"
)

// Caught runs f and returns its error, or its panic as an error.
func Caught(f func() error) (err error) {
	if p := caught.Try(func() { err = f() }); p != nil {
		return p
	}
	return err
}

// UnlessReaderLeft returns the error of an output, nil if only the reader has closed it.
func UnlessReaderLeft(err error) error {
	if ReaderLeft(err) {
		return nil
	}
	return err
}

// ReaderLeft reports whether the reader of our output has closed it.
func ReaderLeft(err error) bool {
	return errors.Is(err, syscall.EPIPE) || errors.Is(err, io.ErrClosedPipe)
}

// Trace prints the stack of a panic for users who ask for details.
func (e *Env) Trace(err error) {
	if p, ok := errors.AsType[*caught.Panic](err); ok && (slices.Contains(e.Args, "-v") ||
		slices.Contains(e.Args, "--verbose")) {
		_, _ = e.Stderr.Write(p.Stack)
	}
}
