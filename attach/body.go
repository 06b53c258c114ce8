package attach

import (
	"bytes"
	"io"
	"sync"
)

// Body is the body of an answer while it is still read. Its methods may be called
// from any goroutine.
type Body struct {
	mu    sync.Mutex
	more  sync.Cond
	bytes []byte
	err   error // what ended it; io.EOF at its natural end
}

func newBody() *Body {
	b := &Body{}
	b.more.L = &b.mu
	return b
}

// More waits until there are more than have bytes, or no more to come, and returns
// all of them from the first on, which never change, and at the end why: io.EOF if
// the JVM has said it all.
func (b *Body) More(have int) ([]byte, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for len(b.bytes) <= have && b.err == nil {
		b.more.Wait()
	}
	return b.bytes, b.err
}

func (b *Body) set(bytes []byte, err error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.bytes, b.err = bytes, err
	b.more.Signal()
}

// follower hands an answer on while it is read, if its status is 0.
type follower struct {
	tell func(*Body) // nil if no one is to be informed
	body *Body       // nil until it was reported
}

// success is the status line before every body that is handed on.
var success = []byte("0\n")

// grown takes note of what of the answer is there.
func (f *follower) grown(raw []byte) {
	body, ok := bytes.CutPrefix(raw, success)
	if f.tell == nil || !ok || len(body) == 0 {
		return
	}
	first := f.body == nil
	if first {
		f.body = newBody()
	}
	f.body.set(body, nil)
	if first {
		f.tell(f.body)
	}
}

// end takes the whole answer, or why it is missing.
func (f *follower) end(raw []byte, err error) {
	switch {
	case f.body == nil:
	case err != nil:
		f.body.set(f.body.bytes, err)
	default:
		f.body.set(raw[len(success):], io.EOF)
	}
}
