package file

import (
	"fmt"
	"io"
	"io/fs"
	"os"
)

// Bounds of saved input. Text of logs and dumps packs to a tenth or a fiftieth of its size.
const (
	// What unpacks to so much, and to so many times its size, was made to harm.
	maxUnpacked, maxRatio = 512 << 20, 300
	// maxPiped is how much of a pipe is read.
	maxPiped = 256 << 20
)

// TooLargeError reports input that is larger than any real one. The rest of it is not read.
type TooLargeError struct{ What string }

func (e *TooLargeError) Error() string { return e.What + ": the rest is not read" }

// counting counts what is read.
type counting struct {
	io.Reader
	n int64
}

func (c *counting) Read(b []byte) (int, error) {
	n, err := c.Reader.Read(b)
	c.n += int64(n)
	return n, err
}

// bounded is the content of packed data, which must not be very many times as large.
type bounded struct {
	counting
	packed *counting
	most   int64 // how much it may be before the ratio counts
}

func (u *bounded) Read(b []byte) (int, error) {
	n, err := u.counting.Read(b)
	if err == nil && u.n > u.most && u.n/maxRatio > u.packed.n {
		err = &TooLargeError{fmt.Sprintf("it unpacks to more than %d MB, and %d times its size", u.most>>20, maxRatio)}
	}
	return n, err
}

// piped is what comes from a pipe, which may not end.
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
