package redact

import (
	"bufio"
	"io"
)

// block is how much of a stream is redacted at a time, up to the end of a line.
const block = 1 << 20

// Reader reads a text without its secrets, whatever its size. A line without an
// end is held in memory whole.
func (r *Redactor) Reader(in io.Reader) io.Reader {
	return &reader{in: bufio.NewReaderSize(in, block), pass: r.begin()}
}

type reader struct {
	in   *bufio.Reader
	pass *pass // a private key may go on from one block to the next
	rest []byte
	err  error
}

func (r *reader) Read(b []byte) (int, error) {
	for len(r.rest) == 0 && r.err == nil {
		var lines []byte
		lines, r.err = readLines(r.in)
		r.rest = r.pass.run(lines)
	}
	n := copy(b, r.rest)
	r.rest = r.rest[n:]
	if n > 0 || len(b) == 0 {
		return n, nil
	}
	return 0, r.err
}

// readLines reads whole lines, as many as are there.
func readLines(in *bufio.Reader) ([]byte, error) {
	if _, err := in.Peek(1); err != nil {
		return nil, err
	}
	lines := make([]byte, in.Buffered())
	n, err := io.ReadFull(in, lines)
	if err != nil || lines[n-1] == '\n' {
		return lines[:n], err
	}
	rest, err := in.ReadBytes('\n')
	return append(lines, rest...), err
}
