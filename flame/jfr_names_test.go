package flame

import (
	"bytes"
	"errors"
	"strconv"
	"strings"
	"testing"
)

// longNames are the constants of methods that are each of the same class, and a stack of all.
func longNames(class, method string, methods int) []byte {
	symbols := append(append(numbersBytes(forgedSymbol, 2, 1), textBytes(class)...), 2)
	keys, frames := numbersBytes(forgedMethod, uint64(methods)), numbersBytes(forgedStack, 1, 1, 0, uint64(methods))
	for i := range uint64(methods) {
		keys = append(keys, numbersBytes(i, 1, 2)...)
		frames = append(frames, numbersBytes(i, 1)...)
	}
	return onePlace(append(symbols, textBytes(method)...), numbersBytes(forgedOwner, 1, 1, 1), keys, frames)
}

// TestLongNames: what names take is bound, however often they are used.
func TestLongNames(t *testing.T) {
	long := strings.Repeat("a", maxSymbol)
	for name, c := range map[string]struct {
		pools []byte
		want  error
	}{
		"a symbol":           {longNames(long, "m", 2), nil},
		"too long a symbol":  {longNames(long+"a", "m", 2), errForged},
		"too long a method":  {longNames("A", long+"a", 2), errForged},
		"many short methods": {longNames("A", "m", 5000), nil},
		"many long methods":  {longNames(long, "m", 5000), errForged},
	} {
		t.Run(name, func(t *testing.T) {
			chunk := forgedChunk(forgedClasses(), forgedEvent(forgedSample, 0, 1, 1), c.pools)
			used := allocated(func() {
				if _, err := ReadJFR(bytes.NewReader(chunk), EventCPU, Options{}); !errors.Is(err, c.want) {
					t.Error(err)
				}
			})
			if used > 4*maxNames {
				t.Errorf("%d MB", used>>20)
			}
		})
	}
}

// TestDeepStacksOfManyThreads: what a stack takes does not depend on how many threads have it.
func TestDeepStacksOfManyThreads(t *testing.T) {
	const frames, threads = 10_000, 5_000
	symbol := append(numbersBytes(forgedSymbol, 1, 1), textBytes("a")...)
	stack := append(numbersBytes(forgedStack, 1, 1, 0, frames), bytes.Repeat([]byte{1, 7}, frames)...)
	names, events := numbersBytes(forgedThread, threads), []byte(nil)
	for i := range uint64(threads) {
		names = append(append(names, numberBytes(i)...), textBytes(strconv.FormatUint(i, 36))...)
		events = append(events, forgedEvent(forgedSample, 0, i, 1)...)
	}
	chunk := forgedChunk(forgedClasses(), events,
		onePlace(symbol, numbersBytes(forgedMethod, 1, 1, 0, 1), stack, names))
	used := allocated(func() {
		if p, err := ReadJFR(bytes.NewReader(chunk), EventCPU, Options{}); err != nil || len(p.Sample) != threads {
			t.Error(err)
		}
	})
	if used > 300*uint64(len(chunk)) { // a sample takes 2 kB, a path of its own 80
		t.Errorf("%d MB for %d kB", used>>20, len(chunk)>>10)
	}
}

// TestLongThreadNames: one is cut, and not within a character, which no text may be.
func TestLongThreadNames(t *testing.T) {
	long := strings.Repeat("a", maxThreadName-1)
	pools := onePlace(
		numbersBytes(forgedStack, 1, 1, 0, 0),
		append(numbersBytes(forgedThread, 1, 1), textBytes(long+"é")...),
	)
	p, err := ReadJFR(bytes.NewReader(forgedChunk(forgedClasses(), forgedEvent(forgedSample, 0, 1, 1), pools)),
		EventCPU, Options{})
	if err != nil || len(p.Sample) != 1 {
		t.Fatal(p, err)
	}
	if names := p.Sample[0].Label["thread"]; len(names) != 1 || names[0] != long {
		t.Errorf("%.10q, of %d bytes", names, len(names[0]))
	}
}
