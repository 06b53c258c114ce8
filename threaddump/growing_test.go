package threaddump

import (
	"bytes"
	"errors"
	"io"
	"testing"
)

// FakeGrowing is input of which some bytes more are there each time.
type FakeGrowing struct {
	bytes []byte
	step  int
	end   error
}

func (g FakeGrowing) More(have int) ([]byte, error) {
	if have+g.step < len(g.bytes) {
		return g.bytes[: have+g.step : have+g.step], nil
	}
	return g.bytes, g.end
}

func TestGrowingInputParsesAsWhole(t *testing.T) {
	for _, file := range fixtures(t) {
		b := read(t, file)
		want := describe(Parse(b))
		for _, step := range []int{1, 7, 61, 4096, len(b) - 1} {
			if step < 61 && len(b) > 100_000 {
				continue
			}
			if got := describe(NewGrowingReader(FakeGrowing{b, step, io.EOF}).all()); got != want {
				t.Fatalf("%s in steps of %d: %s", file, step, firstDifference(want, got))
			}
		}
	}
}

func TestGrowingInputThatBreaks(t *testing.T) {
	b := read(t, "../testdata/dumps/jdk21/mondl-threaddump-l.txt")
	broken := errors.New("the JVM has ended")
	b = b[:bytes.LastIndexByte(b[:len(b)/2], '\n')-5]
	dumps, err := NewGrowingReader(FakeGrowing{b, 100, broken}).all()
	if len(dumps) != 1 || len(dumps[0].Threads) < 5 || !errors.Is(err, broken) {
		t.Error(len(dumps), err)
	}
	if dumps, err := NewGrowingReader(FakeGrowing{nil, 1, broken}).all(); len(dumps) > 0 || !errors.Is(err, broken) {
		t.Error(len(dumps), err)
	}
}
