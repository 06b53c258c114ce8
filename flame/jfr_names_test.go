package flame

import (
	"bytes"
	"errors"
	"strconv"
	"strings"
	"testing"

	"github.com/jstall/jstall/internal/jfr"
	"github.com/jstall/jstall/internal/jfr/jfrtest"
)

// longNames are the constants of methods that are each of the same class, and a stack of all.
func longNames(class, method string, methods int) []byte {
	symbols := append(append(jfrtest.Numbers(forgedSymbol, 2, 1), jfrtest.Text(class)...), 2)
	keys := jfrtest.Numbers(forgedMethod, uint64(methods))
	frames := jfrtest.Numbers(forgedStack, 1, 1, 0, uint64(methods))
	for i := range uint64(methods) {
		keys = append(keys, jfrtest.Numbers(i, 1, 2)...)
		frames = append(frames, jfrtest.Numbers(i, 1)...)
	}
	return jfrtest.Place(append(symbols, jfrtest.Text(method)...), jfrtest.Numbers(forgedOwner, 1, 1, 1), keys, frames)
}

// TestLongNames: what names take is bound, however often they are used.
func TestLongNames(t *testing.T) {
	long := strings.Repeat("a", maxSymbol)
	for name, c := range map[string]struct {
		pools []byte
		want  error
	}{
		"a symbol":           {longNames(long, "m", 2), nil},
		"too long a symbol":  {longNames(long+"a", "m", 2), jfr.ErrForged},
		"too long a method":  {longNames("A", long+"a", 2), jfr.ErrForged},
		"many short methods": {longNames("A", "m", 5000), nil},
		"many long methods":  {longNames(long, "m", 5000), jfr.ErrForged},
	} {
		t.Run(name, func(t *testing.T) {
			chunk := jfrtest.Chunk(forgedClasses(), jfrtest.Event(forgedSample, 0, 1, 1), c.pools)
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
	symbol := append(jfrtest.Numbers(forgedSymbol, 1, 1), jfrtest.Text("a")...)
	stack := append(jfrtest.Numbers(forgedStack, 1, 1, 0, frames), bytes.Repeat([]byte{1, 7}, frames)...)
	names, events := jfrtest.Numbers(forgedThread, threads), []byte(nil)
	for i := range uint64(threads) {
		names = append(append(names, jfrtest.Numbers(i)...), jfrtest.Text(strconv.FormatUint(i, 36))...)
		events = append(events, jfrtest.Event(forgedSample, 0, i, 1)...)
	}
	chunk := jfrtest.Chunk(forgedClasses(), events,
		jfrtest.Place(symbol, jfrtest.Numbers(forgedMethod, 1, 1, 0, 1), stack, names))
	used := allocated(func() {
		if p, err := ReadJFR(bytes.NewReader(chunk), EventCPU, Options{}); err != nil || len(p.Sample) != threads {
			t.Error(err)
		}
	})
	if used > 300*uint64(len(chunk)) { // a sample takes 2 kB, a separate path 80
		t.Errorf("%d MB for %d kB", used>>20, len(chunk)>>10)
	}
}

// TestLongThreadNames: one is cut, and not within a character, which no text may be.
func TestLongThreadNames(t *testing.T) {
	long := strings.Repeat("a", maxThreadName-1)
	pools := jfrtest.Place(
		jfrtest.Numbers(forgedStack, 1, 1, 0, 0),
		append(jfrtest.Numbers(forgedThread, 1, 1), jfrtest.Text(long+"é")...),
	)
	p, err := ReadJFR(bytes.NewReader(jfrtest.Chunk(forgedClasses(), jfrtest.Event(forgedSample, 0, 1, 1), pools)),
		EventCPU, Options{})
	if err != nil || len(p.Sample) != 1 {
		t.Fatal(p, err)
	}
	if names := p.Sample[0].Label["thread"]; len(names) != 1 || names[0] != long {
		t.Errorf("%.10q, of %d bytes", names, len(names[0]))
	}
}
