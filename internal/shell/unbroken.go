package shell

import (
	"errors"
	"io"
	"slices"
	"syscall"

	"github.com/jstall/jstall/internal/caught"
)

// Caught runs f; if it panics, that is its error.
func Caught(f func() error) (err error) {
	if p := caught.Try(func() { err = f() }); p != nil {
		return p
	}
	return err
}

// UnlessReaderLeft is the error of an output, nil where its reader has seen enough and left.
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

// Trace shows where a panic was, to whoever wants to know what is being done.
func (e *Env) Trace(err error) {
	if p, ok := errors.AsType[*caught.Panic](err); ok && (slices.Contains(e.Args, "-v") ||
		slices.Contains(e.Args, "--verbose")) {
		_, _ = e.Stderr.Write(p.Stack)
	}
}
