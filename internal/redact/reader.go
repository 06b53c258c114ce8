package redact

import (
	"bufio"
	"bytes"
	"io"
	"runtime"
	"sync"

	"jstall/internal/caught"
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
		r.rest = r.pass.runAll(lines)
	}
	n := copy(b, r.rest)
	r.rest = r.rest[n:]
	if n > 0 || len(b) == 0 {
		return n, nil
	}
	return 0, r.err
}

// runAll is run on all CPUs, unless the lines of a private key must be told from
// those before.
func (p *pass) runAll(text []byte) []byte {
	const worthwhile = 64 << 10
	n := min(runtime.GOMAXPROCS(0), len(text)/worthwhile)
	if n < 2 || p.inKey || bytes.Contains(text, pemBegin) {
		return p.run(text)
	}
	whole, first := text, p.open
	parts, broken := make([][]byte, n), make([]*caught.Panic, n)
	var all sync.WaitGroup
	for i := range parts {
		part := text
		if at := bytes.IndexByte(text[len(text)/(n-i):], '\n'); i < n-1 && at >= 0 {
			part = text[:len(text)/(n-i)+at+1]
		}
		begin := len(whole) - len(text)
		text = text[len(part):]
		all.Go(func() {
			own := pass{r: p.r, known: p.known, fixed: p.fixed, open: first}
			broken[i] = caught.Try(func() {
				if i > 0 {
					own.open = p.openBefore(whole, begin)
				}
				parts[i] = own.run(part)
				if i == n-1 {
					p.open = own.open
				}
			})
		})
	}
	all.Wait()
	for _, b := range broken {
		b.Again()
	}
	return bytes.Join(parts, nil)
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
