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

// input is text that is read, unpacked, and why its reading ended if not with its end.
type input struct {
	io.ReadCloser
	name string
	// isRecording is true of a flight recording, which is no text but has texts.
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

// unread says that the input could not be read to its end.
func (in *input) unread() error {
	return fmt.Errorf("%s: %w", source.NameOf(in.name), in.err)
}

// textHead is how much of an input is read to recognise text.
const textHead = 64 << 10

// openText opens a file, or standard input, and unpacks it. In what is no text the rules
// would find nothing and its secrets would pass: it is refused.
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

// noText is the error of an input that is not text, nil for text.
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

// withoutRules says what to do with an input that the rules are not for.
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
