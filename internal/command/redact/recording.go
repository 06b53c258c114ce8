package redact

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/jstall/jstall/internal/outfile"
	"github.com/jstall/jstall/internal/redact"
	"github.com/jstall/jstall/internal/shell"
	"github.com/jstall/jstall/internal/source"
)

// copyRedacted copies an input to standard output without its secrets. A flight recording is first written to a file
// and checked there.
func copyRedacted(ctx context.Context, env *shell.Env, r *redact.Redactor, in *input) error {
	if !in.isRecording {
		out, flush := env.Harmless()
		_, err := io.Copy(out, r.Reader(in))
		return errors.Join(err, flush())
	}
	file, err := outfile.Scratch(os.TempDir())
	if err != nil {
		return shell.Unwritable(err)
	}
	defer func() { _ = file.Close() }()
	partial := redactRecording(ctx, env, r, in, file)
	if partial != nil && !isPartial(partial) {
		return partial
	}
	if _, err := file.Seek(0, io.SeekStart); err != nil {
		return shell.Unwritable(err)
	}
	if _, err := io.Copy(env.Stdout, file); err != nil {
		return err
	}
	return partial
}

// redactRecording writes a flight recording without its secrets into a file, and reads it again to check it. If a
// secret also occurs where no rule finds it, the file is written once more without it. After an error for which
// [isPartial] is true the file has the beginning of a recording that cannot be read to its end. After any other error
// it is of no use.
func redactRecording(ctx context.Context, env *shell.Env, r *redact.Redactor, in *input, out *os.File) error {
	recording := r.Recording()
	left, partial := redactOnce(recording, in, out)
	if left == 0 || partial != nil && !isPartial(partial) {
		return partial
	}
	if in.name == shell.Standard {
		return notRedacted(in, fmt.Sprintf("secrets that also occur in texts that no rule covers: %d", left),
			"save standard input in a file and name it: it must be read twice")
	}
	again, err := openText(ctx, env, in.name)
	if err != nil {
		return err
	}
	defer func() { _ = again.Close() }()
	left, partial = redactOnce(recording, again, out)
	if left > 0 {
		return notRedacted(in, fmt.Sprintf("secrets left in the copy: %d", left), "")
	}
	return partial
}

// notRedacted is the error of a copy that must be discarded.
func notRedacted(in *input, why, hint string) error {
	return shell.NoResult(hint, "%s: not redacted, nothing was written: %s", source.NameOf(in.name), why)
}

// redactOnce copies the recording and checks the copy. It returns how many secrets are left in the copy.
func redactOnce(recording *redact.Recording, in *input, out *os.File) (left int, err error) {
	if _, err := out.Seek(0, io.SeekStart); err != nil {
		return 0, shell.Unwritable(err)
	}
	if err := out.Truncate(0); err != nil {
		return 0, shell.Unwritable(err)
	}
	w := &errorWriter{out: out}
	chunks, failed := recording.Copy(w, in)
	switch {
	case w.err != nil:
		return 0, shell.Unwritable(w.err)
	case in.err != nil:
		return 0, in.unread()
	case chunks == 0:
		return 0, shell.NoResult("take a recording with a whole chunk: jcmd PID JFR.dump filename=FILE.jfr",
			"%s: %v", source.NameOf(in.name), failed)
	}
	if _, err := out.Seek(0, io.SeekStart); err != nil {
		return 0, shell.Unwritable(err)
	}
	left, err = recording.Check(out)
	switch {
	case err != nil:
		return 0, notRedacted(in, "the copy is not the same recording: "+err.Error(), "")
	case failed == nil:
		return left, nil
	}
	return left, &shell.ExitError{Code: shell.ExitPartial, Message: fmt.Sprintf(
		"%s: only its beginning (chunks: %d) was redacted and written: %v", source.NameOf(in.name), chunks, failed)}
}

// errorWriter keeps the error of a writer.
type errorWriter struct {
	out io.Writer
	err error
}

// Write keeps the error.
func (w *errorWriter) Write(b []byte) (n int, err error) {
	n, err = w.out.Write(b)
	w.err = err
	return n, err
}

// isPartial reports whether the beginning was copied.
func isPartial(err error) bool {
	e, ok := errors.AsType[*shell.ExitError](err)
	return ok && e.Code == shell.ExitPartial
}
