//go:build !linux

package profile

import (
	"errors"

	"github.com/jstall/jstall/internal/source/folder"
	"github.com/jstall/jstall/internal/source/target"
)

func givenAsync(*target.JVM, string) (*asyncLibrary, error) { return nil, errors.ErrUnsupported }
func roomForThreads(*target.JVM, int) error                 { return errors.ErrUnsupported }
func leftRecording(*folder.Maker) bool                      { return false }

func diskOf(*folder.Folder) *repository { return nil }
