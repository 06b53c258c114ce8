package attach

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
)

const (
	// largestRead is the largest buffer a single read fills.
	largestRead = 1 << 20
	// maxStatus is the longest status line: "-2147483648".
	maxStatus = 11
	// statusBadVersion is the JVM's ATTACH_ERROR_BADVERSION.
	statusBadVersion = 101
)

var (
	errTooLarge = errors.New("answer over the limit")
	errEmpty    = errors.New("connection closed without an answer")
)

// readAll reads to the end of r, first into part and then in reads as large as the
// buffer is by then. The bytes read so far are returned with the error. The parts
// are joined only at the end, when the JVM has been let go: a buffer that grows is
// copied while it writes. grown is given all that is in the first buffer after each
// read into it.
func readAll(r io.Reader, part []byte, limit int64, grown func([]byte)) ([]byte, error) {
	var full [][]byte
	total := int64(0)
	for {
		n, err := r.Read(part[len(part):cap(part)])
		part, total = part[:len(part)+n], total+int64(n)
		if full == nil && total <= limit {
			grown(part)
		}
		if err == nil && total > limit {
			err = fmt.Errorf("%w of %d bytes", errTooLarge, limit)
		}
		if err != nil {
			if errors.Is(err, io.EOF) {
				err = nil
			}
			if full == nil || errors.Is(err, errTooLarge) { // what is refused is not joined
				return part, err
			}
			return slices.Concat(append(full, part)...), err
		}
		if len(part) == cap(part) {
			full = append(full, part)
			part = make([]byte, 0, min(2*cap(part), largestRead))
		}
	}
}

// splitStatus parts an answer into its status and body. The status is a decimal
// number, negative or not, ended by a line feed; all else is an error.
func splitStatus(b []byte) (status int, body []byte, err error) {
	if len(b) == 0 {
		return 0, nil, errEmpty
	}
	line, body, ended := bytes.Cut(b, []byte("\n"))
	if !decimal(line) {
		return 0, nil, fmt.Errorf("no status but %q", line[:min(len(line), 40)])
	}
	if !ended {
		return 0, nil, fmt.Errorf("connection closed within the status line, after %q", line)
	}
	status, err = strconv.Atoi(string(line))
	return status, body, err
}

// decimal reports whether b is what printf("%d", int) makes, or begins so.
func decimal(b []byte) bool {
	if len(b) > maxStatus {
		return false
	}
	digits := bytes.TrimPrefix(b, []byte("-"))
	for _, c := range digits {
		if c < '0' || c > '9' {
			return false
		}
	}
	return len(digits) > 0 || len(b) > 0
}

// namesStreaming reports whether this is the answer to "getversion options" of a
// JVM that speaks version 2 and streams unless asked not to: "2 streaming".
func (a *Answer) namesStreaming() bool {
	words := bytes.Fields(a.Body)
	return a.Status == 0 && len(words) > 1 && string(words[0]) == "2" &&
		slices.ContainsFunc(words[1:], func(w []byte) bool { return string(w) == "streaming" })
}
