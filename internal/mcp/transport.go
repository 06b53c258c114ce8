package mcp

import (
	"context"
	"io"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// transport is standard input and output. At the end of its input it still answers earlier requests, which the library
// would drop.
type transport struct {
	sdk.IOTransport
	// most is how long the last answers may take; ended is done when they are no longer awaited.
	most  time.Duration
	ended context.Context
}

func newTransport(ended context.Context, in io.Reader, out io.Writer, most time.Duration) *transport {
	to := &locked{out: out}
	from := io.NopCloser(newLines(in, to))
	return &transport{sdk.IOTransport{Reader: from, Writer: unclosed{to}}, most, ended}
}

// unclosed is a writer that its user may not close.
type unclosed struct{ io.Writer }

func (unclosed) Close() error { return nil }

// Connect implements [sdk.Transport].
func (t *transport) Connect(ctx context.Context) (sdk.Connection, error) {
	c, err := t.IOTransport.Connect(ctx)
	return &connection{Connection: c, transport: t, answered: make(chan struct{}, 1)}, err
}

// connection counts the requests without an answer.
type connection struct {
	sdk.Connection
	transport *transport
	mu        sync.Mutex
	open      int
	answered  chan struct{} // has a token after an answer
}

// Read implements [sdk.Connection].
func (c *connection) Read(ctx context.Context) (jsonrpc.Message, error) {
	message, err := c.Connection.Read(ctx)
	if err != nil {
		c.awaitAnswers(ctx)
		return nil, err
	}
	if r, ok := message.(*jsonrpc.Request); ok && r.IsCall() {
		c.count(1)
	}
	return message, nil
}

// Write implements [sdk.Connection].
func (c *connection) Write(ctx context.Context, message jsonrpc.Message) error {
	err := c.Connection.Write(ctx, message)
	if _, ok := message.(*jsonrpc.Response); ok {
		c.count(-1)
	}
	return err
}

// count adds n to the open requests, and returns their number.
func (c *connection) count(n int) int {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.open += n
	if n < 0 {
		select {
		case c.answered <- struct{}{}:
		default:
		}
	}
	return c.open
}

// awaitAnswers waits until all requests are answered, for at most most.
func (c *connection) awaitAnswers(ctx context.Context) {
	over := time.After(c.transport.most)
	for c.count(0) > 0 {
		select {
		case <-c.answered:
		case <-over:
			return
		case <-ctx.Done():
			return
		case <-c.transport.ended.Done():
			return
		}
	}
}
