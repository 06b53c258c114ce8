package shell

import (
	"io"
)

// CheckedWriter keeps the first error of a writer, as the flag library drops the errors of its help.
type CheckedWriter struct {
	W   io.Writer
	Err error
}

// Write keeps the first error.
func (c *CheckedWriter) Write(p []byte) (int, error) {
	n, err := c.W.Write(p)
	if c.Err == nil {
		c.Err = err
	}
	return n, err
}
