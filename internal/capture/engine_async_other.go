//go:build !linux

package capture

import (
	"errors"
)

func givenAsync(*target, string) (*asyncLibrary, error) { return nil, errors.ErrUnsupported }
func roomForThreads(*target, int) error                 { return errors.ErrUnsupported }
func leftRecording(*folders) bool                       { return false }

func diskOf(*privateFolder) *repository { return nil }
