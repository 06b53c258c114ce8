package remote

import (
	"bytes"
	"testing"
)

// TestTheLastLineIsKeptBack cuts an output at every two places: what is passed on and the exit code are the same.
func TestTheLastLineIsKeptBack(t *testing.T) {
	const said = "PK\x03\x04\njstall-ab end\njstall-abc en\njstall-abc end 42\nwhat a client adds"
	for i := range len(said) {
		for j := i; j < len(said); j++ {
			var out bytes.Buffer
			w := newTrailed(&out, "abc")
			for _, part := range []string{said[:i], said[i:j], said[j:]} {
				if _, err := w.Write([]byte(part)); err != nil {
					t.Fatal(err)
				}
			}
			const want = "PK\x03\x04\njstall-ab end\njstall-abc en"
			if got := out.String(); got != want || w.code != 42 || !w.done {
				t.Fatalf("cut at %d and %d: %q with code %d, done %v", i, j, got, w.code, w.done)
			}
		}
	}
	var out bytes.Buffer
	w := newTrailed(&out, "abc")
	_, _ = w.Write([]byte("cut off\njstall-abc e"))
	if w.flush(); out.String() != "cut off\njstall-abc e" || w.done {
		t.Errorf("a lost connection passes on %q, done %v", out.String(), w.done)
	}
}
