//go:build !linux

package capture

import (
	"context"
	"errors"
	"io"
	"time"
)

// privateFolder is a folder for a file that the target writes: on Linux only.
type privateFolder struct{}

func (l *folders) privateFolder() (*privateFolder, error) {
	return nil, errors.New("asking a running JVM needs Linux")
}

func (f *privateFolder) path(string) string                 { return "" }
func (f *privateFolder) open(string) (io.ReadCloser, error) { return nil, errors.ErrUnsupported }
func (f *privateFolder) remove() []string                   { return nil }
func (l *folders) clearLeft(context.Context)                {}

func (l *folders) makerGone(string) bool              { return false }
func (l *folders) asTarget() func(func() error) error { return nil }
func (f *privateFolder) write(string, []byte) error   { return errors.ErrUnsupported }
func (f *privateFolder) has(string) bool              { return false }
func (f *privateFolder) log() string                  { return "" }
func (f *privateFolder) forbidsCode() bool            { return false }
func (f *privateFolder) keepUntil(time.Time)          {}
func (f *privateFolder) leave() (left []string)       { return nil }
