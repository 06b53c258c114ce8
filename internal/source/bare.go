package source

import (
	"errors"
	"io/fs"
)

// Bare takes the path out of a file error, which names it once more.
func Bare(err error) error {
	if p := (*fs.PathError)(nil); errors.As(err, &p) {
		return p.Err
	}
	return err
}
