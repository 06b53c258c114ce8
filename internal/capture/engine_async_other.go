//go:build !linux

package capture

import (
	"errors"
	"time"
)

func (l *Live) givenAsync(string) (*asyncLibrary, error) { return nil, errors.ErrUnsupported }
func (l *Live) roomForThreads(int) error                 { return errors.ErrUnsupported }
func (l *Live) usedCPU() time.Duration                   { return 0 }
func (l *Live) leftRecording() bool                      { return false }

func (f *privateFolder) has(string) bool   { return false }
func (f *privateFolder) log() string       { return "" }
func (f *privateFolder) forbidsCode() bool { return false }
func (f *privateFolder) disk() *repository { return nil }
