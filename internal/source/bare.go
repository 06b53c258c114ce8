package source

import (
	"errors"
	"io/fs"
)

// Bare removes the path from a file error, as the caller names the file.
func Bare(err error) error {
	if p := (*fs.PathError)(nil); errors.As(err, &p) {
		return p.Err
	}
	return err
}
