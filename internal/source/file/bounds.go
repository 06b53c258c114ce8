package file

import (
	"fmt"
	"io"
	"io/fs"
	"os"
)

// Bounds on saved input. Text of logs and dumps compresses to a tenth or a fiftieth of its size.
const (
	// Data is malicious if it decompresses to more bytes than the first, and to more times its size than the second.
	maxUnpacked, maxRatio = 512 << 20, 300
	// maxPiped bounds how much of a pipe is read.
	maxPiped = 256 << 20
)

// TooLargeError reports input that is larger than any real one. The rest of it is not read.
type TooLargeError struct{ What string }

func (e *TooLargeError) Error() string { return e.What + ": the rest is not read" }

// counting counts the bytes that are read.
type counting struct {
	io.Reader
	n int64
}

func (c *counting) Read(b []byte) (int, error) {
	n, err := c.Reader.Read(b)
	c.n += int64(n)
	return n, err
}

// bounded reads decompressed data, and fails if it is too many times larger than the compressed data.
type bounded struct {
	counting
	packed *counting
	most   int64 // the size up to which the ratio does not count
}

func (u *bounded) Read(b []byte) (int, error) {
	n, err := u.counting.Read(b)
	if err == nil && u.n > u.most && u.n/maxRatio > u.packed.n {
		err = &TooLargeError{fmt.Sprintf("it unpacks to more than %d MB, and %d times its size", u.most>>20, maxRatio)}
	}
	return n, err
}

// piped is the content of a pipe, which may be endless.
type piped struct{ counting }

func (p *piped) Read(b []byte) (int, error) {
	n, err := p.counting.Read(b)
	if err == nil && p.n > maxPiped {
		err = &TooLargeError{
			fmt.Sprintf("more than %d MB came from a pipe; save the input to a file and name the file", maxPiped>>20),
		}
	}
	return n, err
}

// unbounded reports whether the size of an input is unknown, as for a pipe or a device.
func unbounded(in io.Reader) bool {
	file, ok := in.(*os.File)
	if !ok {
		return true
	}
	info, err := file.Stat()
	return err != nil || info.Mode()&fs.ModeType != 0
}
