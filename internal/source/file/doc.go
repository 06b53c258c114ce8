// Package file is the source that reads saved dumps, archives, flight recordings and core files.
package file

import (
	"context"
	"io"

	"github.com/jstall/jstall/internal/capture"
	"github.com/jstall/jstall/internal/hotspot"
)

// CoreClasses is forwarded until its code is here.
func CoreClasses(ctx context.Context, name string,
	o hotspot.ClassOptions) (list *hotspot.ClassList, cut error, err error) {
	return capture.CoreClasses(ctx, name, o)
}

// DamagedError is forwarded until its code is here.
type DamagedError = capture.DamagedError

// Files is forwarded until its code is here.
type Files = capture.Files

// Foreign is forwarded until its code is here.
func Foreign(name string, head []byte) *capture.ForeignError { return capture.Foreign(name, head) }

// ForeignError is forwarded until its code is here.
type ForeignError = capture.ForeignError

// Input is forwarded until its code is here.
type Input = capture.Input

// IsCore is forwarded until its code is here.
func IsCore(name string) bool { return capture.IsCore(name) }

// Open is forwarded until its code is here.
func Open(ctx context.Context, name string, stdin io.Reader) (io.ReadCloser, error) {
	return capture.Open(ctx, name, stdin)
}

// OpenInput is forwarded until its code is here.
func OpenInput(ctx context.Context, name string, stdin io.Reader, headLen int) (*capture.Input, error) {
	return capture.OpenInput(ctx, name, stdin, headLen)
}

// ShellWord is forwarded until its code is here.
func ShellWord(word string) string { return capture.ShellWord(word) }

// Unpacked is forwarded until its code is here.
func Unpacked(ctx context.Context, names []string, stdin io.Reader) io.ReadCloser {
	return capture.Unpacked(ctx, names, stdin)
}
