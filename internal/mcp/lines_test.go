package mcp

import (
	"bytes"
	"io"
	"strings"
	"testing"
)

// TestLinesThatAreNoMessages are answered, and the messages around them arrive.
func TestLinesThatAreNoMessages(t *testing.T) {
	const message = `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`
	for _, bad := range []string{
		"rubbish", "{}", "[]", "null", "5", `{"jsonrpc":"1.0","id":1,"method":"x"}`, "\x00\xff", `[1]`,
		`{"jsonrpc":"2.0","id":{"a":1},"method":"x"}`, strings.Repeat("[", 20_000), `"` + strings.Repeat("x", 9<<20),
		message[:20],
	} {
		var said bytes.Buffer
		l := newLines(strings.NewReader(message+"\n\n"+bad+"\n["+message+"]\n"+message), &said)
		got, err := io.ReadAll(l)
		if want := message + "\n[" + message + "]\n" + message + "\n"; err != nil || string(got) != want {
			t.Errorf("%.30q: %v, %.300q arrives", bad, err, got)
		}
		if text := said.String(); !strings.Contains(text, `"code":-32700`) || strings.Count(text, "\n") != 1 ||
			len(text) > mostBrief+200 {
			t.Errorf("%.30q: the answer is %q", bad, text)
		}
	}
}
