package jvmtest

import (
	"bytes"
	"sync"
)

// Buffer is an output of a process that is read while it is written.
type Buffer struct {
	mu   sync.Mutex
	text bytes.Buffer
}

// Write adds to it.
func (b *Buffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.Write(p)
}

// String is what was written so far.
func (b *Buffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.String()
}
