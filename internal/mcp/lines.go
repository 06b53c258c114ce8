package mcp

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

// longestLine bounds a message of the client, in bytes.
const longestLine = 8 << 20

// lines passes on the messages of a client, one in each line. It answers any other line with an error, as the library
// would end the server.
type lines struct {
	in     *bufio.Reader
	answer io.Writer
	rest   []byte // of a line that is being passed on
}

func newLines(in io.Reader, answer io.Writer) *lines {
	return &lines{in: bufio.NewReader(in), answer: answer}
}

// Read implements [io.Reader].
func (l *lines) Read(p []byte) (int, error) {
	for len(l.rest) == 0 {
		line, err := l.next()
		if len(bytes.TrimSpace(line)) > 0 {
			if wrong := isMessage(line); wrong != nil {
				l.refuse(wrong)
			} else {
				l.rest = append(bytes.TrimSuffix(line, []byte("\n")), '\n')
			}
		}
		if err != nil && len(l.rest) == 0 {
			return 0, err
		}
	}
	n := copy(p, l.rest)
	l.rest = l.rest[n:]
	return n, nil
}

// next returns a line. For a line that is too long it answers with an error and returns nil.
func (l *lines) next() (line []byte, err error) {
	for long := false; ; {
		piece, err := l.in.ReadSlice('\n')
		switch {
		case long:
		case len(line)+len(piece) > longestLine:
			long, line = true, nil
			l.refuse(fmt.Errorf("a line has more than %d MB", longestLine>>20))
		default:
			line = append(line, piece...)
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			return line, err
		}
	}
}

// isMessage returns nil for a message, and for a batch of messages.
func isMessage(line []byte) error {
	if !bytes.HasPrefix(bytes.TrimSpace(line), []byte("[")) {
		_, err := jsonrpc.DecodeMessage(line)
		return err
	}
	var batch []json.RawMessage
	if err := json.Unmarshal(line, &batch); err != nil {
		return err
	}
	if len(batch) == 0 {
		return errors.New("a batch is empty")
	}
	for _, m := range batch {
		if _, err := jsonrpc.DecodeMessage(m); err != nil {
			return err
		}
	}
	return nil
}

// refuse answers a line that is not a message: it has no id to refer to.
func (l *lines) refuse(why error) {
	text, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": nil, "error": map[string]any{
		"code": jsonrpc.CodeParseError, "message": "no message of JSON-RPC 2.0 on a line: " + brief(why.Error()),
	}})
	if err == nil {
		_, _ = l.answer.Write(append(text, '\n')) // a client that does not read ends the server by its next answer
	}
}

// mostBrief bounds the message about a wrong call, in bytes, as it may quote the call.
const mostBrief = 1000

// brief is a text, cut if it is long.
func brief(text string) string {
	if len(text) <= mostBrief {
		return text
	}
	return cut(text, mostBrief) + "…"
}

// locked is a writer for several goroutines.
type locked struct {
	mu  sync.Mutex
	out io.Writer
}

func (l *locked) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.out.Write(p)
}
