package cli

import (
	"fmt"
	"io"

	"jstall/internal/redact"
)

// copyRedacted copies an input without its secrets. The error is an [exitError] if a flight recording cannot be read:
// of [isPartial] if its beginning was copied.
func copyRedacted(r *redact.Redactor, out io.Writer, in *input) error {
	if !in.isRecording {
		_, err := io.Copy(out, r.Reader(in))
		return err
	}
	w := &errorWriter{out: out}
	chunks, err := r.Recording(w, in)
	switch {
	case err == nil:
		return nil
	case w.err != nil:
		return w.err
	case chunks == 0:
		return nothing("", "%s: %v", in.name, err)
	}
	return &exitError{code: exitPartial, message: fmt.Sprintf(
		"%s: only its beginning (chunks: %d) was redacted and written: %v", in.name, chunks, err)}
}

// errorWriter keeps the error of a writer.
type errorWriter struct {
	out io.Writer
	err error
}

func (w *errorWriter) Write(b []byte) (n int, err error) {
	n, err = w.out.Write(b)
	w.err = err
	return n, err
}

// isPartial reports that a beginning was copied.
func isPartial(err error) bool {
	e, ok := errAs[*exitError](err)
	return ok && e.code == exitPartial
}
