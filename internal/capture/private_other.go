//go:build !linux

package capture

import (
	"context"
	"errors"
	"io"
)

// privateFolder is a folder for a file that the target writes: on Linux only.
type privateFolder struct{}

func (l *Live) privateFolder() (*privateFolder, error) {
	return nil, errors.New("asking a running JVM needs Linux")
}

func (f *privateFolder) path(string) string                 { return "" }
func (f *privateFolder) open(string) (io.ReadCloser, error) { return nil, errors.ErrUnsupported }
func (f *privateFolder) remove() []string                   { return nil }
func (l *Live) clearLeft(context.Context)                   {}
