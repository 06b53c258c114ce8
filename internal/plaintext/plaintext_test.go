package plaintext

import (
	"bytes"
	"io"
	"strings"
	"testing"
	"testing/iotest"
)

func TestCharacters(t *testing.T) {
	for in, want := range map[string]string{
		"Kassenb\xfcro \x80 \x96\n":                "Kassenbüro € –\n",
		"“main” #1 held by\n":                      "\"main\" #1 held by\n",
		"a “name” in a log\n":                      "a “name” in a log\n",
		"\u00a0\u00a0at\u00a0a.B\u200b\n":          "  at a.B\n",
		"– locked <0x01> (a B)\n":                  "- locked <0x01> (a B)\n",
		"\xed\xa0\xbd\xed\xb8\x80 \xc0\x80\n":      "\xed\xa0\xbd\xed\xb8\x80 \xc0\x80\n", // the JVM's own encoding
		"\x1b[1;32m\"a\" #1\x1b[0m\n":              "\"a\" #1\n",
		"\"a\x1b[1mb\" #1\n":                       "\"a\x1b[1mb\" #1\n", // of the name
		"<p>&quot;a&quot; &lt;0x01&gt;<br>b</p>\n": "\"a\" <0x01>\nb\n",
		"\tat a.<init>(A.java) <0x01>\n":           "\tat a.<init>(A.java) <0x01>\n",
		"\"<b>x</b>\" #1\n":                        "\"<b>x</b>\" #1\n",
		"<pre\nclass='x'>a &amp; b\n":              "<pre\nclass='x'>a &amp; b\n",
		"<pre class='x'>a &amp; b\n":               "a & b\n",
		"":                                         "",
		"\ufeffa":                                  "a",
	} {
		if got, _ := plain(t, in); got != want {
			t.Errorf("%q is %q, want %q", in, got, want)
		}
	}
}

func TestLinesAreThoseOfTheInput(t *testing.T) {
	text := "<pre>\na<br>b<br>\nc\n\"x\" #1 prio=5\ntid=0x01 nid=0x1 runnable [0x01]\nd\n"
	got, r := plain(t, text)
	lines := strings.Split(got, "\n")
	in := strings.Split(text, "\n")
	for i, line := range lines[:len(lines)-1] {
		if from := in[r.Line(i+1)-1]; len(line) > 0 && !strings.Contains(from, line[:1]) {
			t.Errorf("line %d %q is of line %d %q", i+1, line, r.Line(i+1), from)
		}
	}
}

// Whatever comes, reading ends, gives no more than a few times as much, and does not depend on
// how it comes; a line has a number in the input; and what is plain is left alone.
func FuzzReader(f *testing.F) {
	for _, seed := range []string{"\xff\xfea\x00b\x00\n\x00", "<pre>&quot;a&quot; #1<br>b", "\"a\" #1 prio=5\ntid=0x1",
		"\tat a.b(\nc)", "a\n\nb\n\n", "\x1b[1m\xfc\u00a0", "<p\n<br>>"} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		r := NewReader(bytes.NewReader(text))
		got, err := io.ReadAll(r)
		if err != nil || len(got) > 4*len(text)+16 {
			t.Fatalf("%d of %d bytes, %v", len(got), len(text), err)
		}
		all := bytes.Count(text, []byte("\n")) + 1
		for n := 1; n <= bytes.Count(got, []byte("\n")); n++ {
			if line := r.Line(n); line < 1 || line > all {
				t.Fatalf("line %d is line %d of %d", n, line, all)
			}
		}
		if halves, err := io.ReadAll(NewReader(iotest.HalfReader(bytes.NewReader(text)))); err != nil ||
			!bytes.Equal(halves, got) {
			t.Fatalf("in halves %q, %v; else %q", halves, err, got)
		}
		if Plain(text) && !bytes.Equal(got, text) {
			t.Fatalf("plain text %q became %q", text, got)
		}
	})
}
