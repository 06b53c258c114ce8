package shell

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"github.com/jstall/jstall/internal/outfile"
)

// Unwritable returns the error of a user's file that cannot be written, with the remedy.
func Unwritable(err error) error {
	if errors.Is(err, fs.ErrExist) {
		return NoResult("name another file, or replace it with --force", "%v", err)
	}
	return NoResult("name a file in a folder that can be written, with room left", "%v", err)
}

// OutFile is a file that the user names for output.
type OutFile struct {
	Path  string
	Force bool
}

// Check checks, before the work, whether the file can be written after it.
func (o OutFile) Check() error {
	if o.Path == "" || o.Path == "-" || isSpecial(o.Path) {
		return nil
	}
	file, err := outfile.Create(o.Path, o.Force)
	if err != nil {
		return Unwritable(err)
	}
	file.Abort()
	return nil
}

// Write writes the output. It writes a complete file or none.
func (o OutFile) Write(content func(io.Writer) error) error {
	put := PutFile
	if isSpecial(o.Path) {
		put = writeSpecial
	}
	if err := put(o.Path, o.Force, content); err != nil {
		return Unwritable(err)
	}
	return nil
}

// isSpecial reports whether the file is a device or a pipe, which is written to and not replaced.
func isSpecial(path string) bool {
	info, err := os.Stat(path)
	return err == nil && !info.Mode().IsRegular() && !info.IsDir()
}

// BareError is the cause of an error of a file, without the file name.
func BareError(err error) error {
	if e, ok := errors.AsType[*fs.PathError](err); ok {
		return e.Err
	}
	return err
}

// PutFile writes a file and renames it to its path once its content is complete.
func PutFile(path string, force bool, content func(io.Writer) error) error {
	file, err := outfile.Create(path, force)
	if err != nil {
		return err
	}
	defer file.Abort()
	if err := Buffered(file, content); err != nil {
		return fmt.Errorf("%s: %w", path, BareError(err))
	}
	return file.Commit()
}

func writeSpecial(path string, _ bool, content func(io.Writer) error) error {
	file, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	err = Buffered(file, content)
	if closed := file.Close(); err == nil {
		err = closed
	}
	return err
}

// Buffered writes content to w in large pieces.
func Buffered(w io.Writer, content func(io.Writer) error) error {
	out := bufio.NewWriter(w)
	if err := content(out); err != nil {
		return err
	}
	return out.Flush()
}
