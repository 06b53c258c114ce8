package remote

import (
	"bytes"
	"io"
	"strconv"
)

// trailed passes on the output of jstall except the script's last line, which ends with the exit code of jstall.
type trailed struct {
	out  io.Writer
	mark []byte // the beginning of the last line
	held []byte
	code int
	done bool
	err  error // of out
}

// newTrailed returns a writer that passes on to out; the nonce is that of the run.
func newTrailed(out io.Writer, nonce string) *trailed {
	return &trailed{out: out, mark: []byte("\njstall-" + nonce + " end ")}
}

// longestCode bounds the last line after its mark: an exit code and a newline.
const longestCode = 8

// Write passes on everything before the last line and drops what follows it. An error of the output is kept, and the
// input is still read to its end.
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
	case whole || len(code) > longestCode: // the nonce is right, the code is not: our script does not write this
		t.code, t.done = 1, true
	}
}

// pass writes the first n held bytes.
func (t *trailed) pass(n int) {
	if t.err == nil {
		_, t.err = t.out.Write(t.held[:n])
	}
	t.held = append(t.held[:0], t.held[n:]...)
}

// flush passes on the held bytes of an output without a last line.
func (t *trailed) flush() {
	if !t.done {
		t.pass(len(t.held))
	}
}
