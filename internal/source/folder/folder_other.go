//go:build !linux

package folder

import (
	"context"
	"errors"
	"io"
	"time"
)

// Folder is a folder for a file that the target writes. It exists only on Linux.
type Folder struct{}

func (l *Maker) Make() (*Folder, error) {
	return nil, errors.New("asking a running JVM needs Linux")
}

func (f *Folder) Path(string) string                 { return "" }
func (f *Folder) Open(string) (io.ReadCloser, error) { return nil, errors.ErrUnsupported }
func (f *Folder) Remove() []string                   { return nil }
func (l *Maker) ClearLeft(context.Context)           {}

func (l *Maker) MakerGone(string) bool              { return false }
func (l *Maker) AsTarget() func(func() error) error { return nil }
func (f *Folder) Write(string, []byte) error        { return errors.ErrUnsupported }
func (f *Folder) Has(string) bool                   { return false }
func (f *Folder) Log() string                       { return "" }
func (f *Folder) ForbidsCode() bool                 { return false }
func (f *Folder) KeepUntil(time.Time)               {}
func (f *Folder) Leave() (left []string)            { return nil }
