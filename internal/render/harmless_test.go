package render_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/jstall/jstall/internal/render"
)

// TestHarmless: what a terminal shows of a text is the same however it comes in pieces, and holds no control character.
func TestHarmless(t *testing.T) {
	text := "\"w\x1b]0;title\a\u009b2J\" #1\r\n\tat a.B.c(B.java:1)\n\u202eabc\xff \u00e4\u4e2d\nlast \x7f"
	want := "\"w\\x1b]0;title\\x07\\x9b2J\" #1\n\tat a.B.c(B.java:1)\n\\u202eabc\\xff \u00e4\u4e2d\nlast \\x7f"
	for size := 1; size <= len(text); size++ {
		var out bytes.Buffer
		terminal := render.NewHarmless(&out)
		for rest := []byte(text); len(rest) > 0; {
			n := min(size, len(rest))
			if _, err := terminal.Write(rest[:n]); err != nil {
				t.Fatal(err)
			}
			rest = rest[n:]
		}
		if err := terminal.Flush(); err != nil {
			t.Fatal(err)
		}
		if out.String() != want {
			t.Fatalf("pieces of %d bytes:\n%q\n%q", size, out.String(), want)
		}
	}
}

// TestHarmlessHoldsNoWholeText: a line without an end is written in pieces that cut no character.
func TestHarmlessHoldsNoWholeText(t *testing.T) {
	var out bytes.Buffer
	terminal := render.NewHarmless(&out)
	text := "x" + strings.Repeat("\u4e2d", 100_000)
	for rest := text; rest != ""; {
		n := min(1000, len(rest))
		if _, err := terminal.Write([]byte(rest[:n])); err != nil {
			t.Fatal(err)
		}
		rest = rest[n:]
	}
	if out.Len() < len(text)/2 {
		t.Errorf("%d of %d bytes are written before the end", out.Len(), len(text))
	}
	if err := terminal.Flush(); err != nil || out.String() != text {
		t.Errorf("%v, %d bytes", err, out.Len())
	}
}
