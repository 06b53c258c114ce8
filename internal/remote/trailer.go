package remote

import (
	"bytes"
	"io"
	"strconv"
)

// trailed passes on what jstall writes, and keeps back the script's last line, which ends with the exit code of jstall.
type trailed struct {
	out  io.Writer
	mark []byte // begins the last line
	held []byte
	code int
	done bool
	err  error // of out
}

// newTrailed passes on to out; the nonce is that of the run.
func newTrailed(out io.Writer, nonce string) *trailed {
	return &trailed{out: out, mark: []byte("\njstall-" + nonce + " end ")}
}

// longestCode bounds the last line behind its mark: an exit code and the end of the line.
const longestCode = 8

// Write takes everything until the last line; what follows it is dropped. An error of the output is kept, and the rest
// is read to its end all the same.
func (t *trailed) Write(b []byte) (int, error) {
	if t.done {
		return len(b), nil
	}
	t.held = append(t.held, b...)
	if at := bytes.Index(t.held, t.mark); at >= 0 {
		t.pass(at)
		t.end()
		return len(b), nil
	}
	if n := len(t.held) - len(t.mark); n > 0 {
		t.pass(n)
	}
	return len(b), nil
}

// end reads the exit code once its line is whole.
func (t *trailed) end() {
	code, _, whole := bytes.Cut(t.held[len(t.mark):], []byte("\n"))
	n, err := strconv.Atoi(string(code))
	switch {
	case whole && err == nil:
		t.code, t.done = n, true
	case whole || len(code) > longestCode: // the nonce is ours, the code is not: no such thing is written
		t.code, t.done = 1, true
	}
}

// pass writes the first n bytes of what is held.
func (t *trailed) pass(n int) {
	if t.err == nil {
		_, t.err = t.out.Write(t.held[:n])
	}
	t.held = append(t.held[:0], t.held[n:]...)
}

// flush passes on what is held of an output that has no last line.
func (t *trailed) flush() {
	if !t.done {
		t.pass(len(t.held))
	}
}
