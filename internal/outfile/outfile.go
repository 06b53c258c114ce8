// Package outfile writes files for the user that are complete or do not exist: if the program ends midway, no partial
// file is at the path, and an existing file stays unless it was to be replaced.
package outfile

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// File is a file that is being written. Write to it, then Commit; defer Abort, which does nothing after Commit.
type File struct {
	*os.File
	path  string
	force bool
	// named is its name until Commit, empty if the system supports unnamed files.
	named string
	done  bool
}

// Create begins a file that Commit puts at path, with access for its owner alone. Without force an existing file is an
// [fs.ErrExist] at once.
func Create(path string, force bool) (*File, error) {
	if err := Free(path, force); err != nil {
		return nil, err
	}
	dir := filepath.Dir(path)
	if f, err := openUnnamed(dir); err == nil {
		return &File{File: f, path: path, force: force}, nil
	}
	f, err := os.CreateTemp(dir, ".jstall-*.part")
	if err != nil {
		return nil, about(path, err)
	}
	return &File{File: f, path: path, force: force, named: f.Name()}, nil
}

// Scratch opens an unnamed file in dir, with access for its owner alone. It disappears when it is closed or the program
// ends.
func Scratch(dir string) (*os.File, error) {
	if f, err := openUnnamed(dir); err == nil {
		return f, nil
	}
	f, err := os.CreateTemp(dir, ".jstall-*.part")
	if err != nil {
		return nil, err
	}
	if err := os.Remove(f.Name()); err != nil {
		_ = f.Close()
		return nil, err
	}
	return f, nil
}

// Free returns an error if no file may be put at path. An existing file needs force. A device or a pipe, or a link to
// one, is never replaced.
func Free(path string, force bool) error {
	info, err := os.Lstat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return about(path, err)
	case info.IsDir():
		return fmt.Errorf("%s is a directory", path)
	case isSpecial(path):
		return fmt.Errorf("%s is a device or a pipe, not a file", path)
	case !force:
		return fmt.Errorf("%s: %w", path, fs.ErrExist)
	}
	return nil
}

func isSpecial(path string) bool {
	info, err := os.Stat(path)
	return err == nil && !info.Mode().IsRegular() && !info.IsDir()
}

// Commit puts the file at its path.
func (f *File) Commit() error {
	defer f.Abort()
	if err := f.publish(); err != nil {
		return about(f.path, err)
	}
	return nil
}

func (f *File) publish() error {
	if err := f.Sync(); err != nil {
		return err
	}
	if !f.force {
		err := f.link(f.path) // never replaces a file that was made meanwhile
		if err == nil || f.named == "" || errors.Is(err, fs.ErrExist) {
			return err
		}
		return f.rename(renameFresh) // some file systems have no links
	}
	if f.named == "" {
		beside := fmt.Sprintf("%s.%d.part", f.path, os.Getpid())
		if err := f.link(beside); err != nil {
			return err
		}
		f.named = beside
	}
	return f.rename(os.Rename)
}

func (f *File) rename(by func(from, to string) error) error {
	if err := by(f.named, f.path); err != nil {
		return err
	}
	f.named = ""
	return nil
}

// checkedRename is renameFresh without protection between the check and the rename.
func checkedRename(from, to string) error {
	if err := Free(to, false); err != nil {
		return err
	}
	return os.Rename(from, to)
}

func (f *File) link(to string) error {
	if f.named == "" {
		return linkUnnamed(f.File, to)
	}
	return os.Link(f.named, to)
}

// Abort removes a file that was not committed.
func (f *File) Abort() {
	if f.done {
		return
	}
	f.done = true
	_ = f.Close()
	if f.named != "" {
		_ = os.Remove(f.named)
	}
}

// about adds to an error the name of the user's file.
func about(path string, err error) error {
	if p := (*fs.PathError)(nil); errors.As(err, &p) {
		err = p.Err
	}
	if l := (*os.LinkError)(nil); errors.As(err, &l) {
		err = l.Err
	}
	return fmt.Errorf("%s: %w", path, err)
}
