package redact

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/jstall/jstall/internal/shell"
	"github.com/jstall/jstall/internal/source"
	"github.com/jstall/jstall/internal/source/file"
	"github.com/jstall/jstall/threaddump"
)

// input is decompressed text, and the error that ended it early.
type input struct {
	io.ReadCloser
	name string
	// isRecording reports a flight recording, which is not text but contains texts.
	isRecording bool
	err         error
}

// Read keeps the error that ends the input early.
func (in *input) Read(b []byte) (int, error) {
	n, err := in.ReadCloser.Read(b)
	if err != nil && err != io.EOF {
		in.err = err
	}
	return n, err
}

// unread is the error of an input that could not be read to its end.
func (in *input) unread() error {
	return fmt.Errorf("%s: %w", source.NameOf(in.name), in.err)
}

// textHead is how many bytes of an input are read to recognise text.
const textHead = 64 << 10

// openText opens a file, or standard input, and decompresses it. It refuses an input that is not text, as the rules
// would find no secrets in it.
func openText(ctx context.Context, env *shell.Env, name string) (*input, error) {
	in, err := file.OpenInput(ctx, name, env.Stdin, textHead)
	if err != nil {
		if foreign, ok := errors.AsType[*file.ForeignError](err); ok {
			return nil, withoutRules(foreign)
		}
		return nil, err
	}
	content, err := in.Content(ctx)
	if err != nil {
		return nil, err
	}
	isRecording := bytes.HasPrefix(in.Head, []byte(shell.FlightRecording))
	if foreign := noText(name, in.Head); foreign != nil && !isRecording {
		_ = content.Close()
		return nil, withoutRules(foreign)
	}
	return &input{ReadCloser: content, name: name, isRecording: isRecording}, nil
}

// noText returns an error for an input that is not text.
func noText(name string, head []byte) *file.ForeignError {
	if foreign := file.Foreign(name, head); foreign != nil {
		return foreign
	}
	if format := threaddump.FileFormatOf(head); format != "" {
		return &file.ForeignError{Name: name, What: string(format)}
	}
	if bytes.IndexByte(head, 0) >= 0 || shell.IsBinary(head, 50) {
		return &file.ForeignError{Name: name, What: "binary"}
	}
	return nil
}

// withoutRules is the error of an input without rules, with the remedy.
func withoutRules(e *file.ForeignError) error {
	hint := e.Remedy
	switch {
	case e.What == string(threaddump.ZipArchive):
		hint = "jstall record PID --redact makes a recording without secrets; of other archives, unpack the texts " +
			"and name them"
	case hint == "" || e.What == string(threaddump.HeapDump):
		hint = "jstall redact replaces secrets in text (dumps, logs and hs_err files, also .gz and .zst) and in " +
			"flight recordings"
	}
	return &file.ForeignError{Name: e.Name, What: e.What, Remedy: hint}
}
