package redact

import (
	"bufio"
	"bytes"
	"io"
	"runtime"
	"sync"

	"github.com/jstall/jstall/internal/caught"
)

// block is how much of a stream is redacted at a time, up to the end of a line.
const block = 1 << 20

// Reader reads a text of any size without its secrets. It holds a line without an end in memory as a whole.
func (r *Redactor) Reader(in io.Reader) io.Reader {
	return &reader{in: bufio.NewReaderSize(in, block), pass: r.begin()}
}

type reader struct {
	in   *bufio.Reader
	pass *pass // a private key may continue from one block to the next
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

// runAll is run on all CPUs. It uses one CPU where a private key may be open, as only the lines before show which lines
// belong to the key. Each part but the first is begun as if nothing were open before it. Where something was open, the
// part is redacted once more.
func (p *pass) runAll(text []byte) []byte {
	const worthwhile = 64 << 10
	n := min(runtime.GOMAXPROCS(0), len(text)/worthwhile)
	if n < 2 || p.inKey || holdsKey(text) {
		return p.run(text)
	}
	texts := partsOf(text, n)
	parts, own, broken := make([][]byte, len(texts)), make([]*pass, len(texts)), make([]*caught.Panic, len(texts))
	var all sync.WaitGroup
	for i := range texts {
		all.Go(func() {
			own[i] = &pass{r: p.r, known: p.known, fixed: p.fixed, counts: map[string]int{}}
			if i == 0 {
				own[i].open = p.open
			}
			broken[i] = caught.Try(func() { parts[i] = own[i].run(texts[i]) })
		})
	}
	all.Wait()
	for i, b := range broken {
		b.Repanic()
		if before := p.open; i > 0 && before != nil {
			own[i] = &pass{r: p.r, known: p.known, fixed: p.fixed, counts: map[string]int{}, open: before}
			parts[i] = own[i].run(texts[i])
		}
		for kind, n := range own[i].counts {
			p.r.count(kind, n)
		}
		p.open = own[i].open
	}
	return bytes.Join(parts, nil)
}

// partsOf splits a text into n parts at the ends of lines that do not continue.
func partsOf(text []byte, n int) [][]byte {
	var parts [][]byte
	for ; n > 1 && len(text) > 0; n-- {
		from := len(text) / n
		from -= len(text[:from]) - bytes.LastIndexByte(text[:from], '\n') - 1
		end, _ := lineEnd(text, from)
		end = min(end+1, len(text))
		parts = append(parts, text[:end])
		text = text[end:]
	}
	return append(parts, text)
}

// readLines reads whole lines, as many as are available, and those in which the last one continues.
func readLines(in *bufio.Reader) ([]byte, error) {
	if _, err := in.Peek(1); err != nil {
		return nil, err
	}
	lines := make([]byte, in.Buffered())
	n, err := io.ReadFull(in, lines)
	lines = lines[:n]
	for more := 0; err == nil && more < mostJoined; more++ {
		text, ended := bytes.CutSuffix(lines, []byte("\n"))
		if ended && !goesOn(text) {
			break
		}
		var rest []byte
		rest, err = in.ReadBytes('\n')
		lines = append(lines, rest...)
	}
	return lines, err
}
