package top

import (
	"context"
	"sync"
)

// gate lets a goroutine pass, or holds it until it is opened again. The zero value is open.
type gate struct {
	mu     sync.Mutex
	opened chan struct{} // nil while it is open
}

// set closes or opens the gate.
func (g *gate) set(closed bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	switch {
	case closed && g.opened == nil:
		g.opened = make(chan struct{})
	case !closed && g.opened != nil:
		close(g.opened)
		g.opened = nil
	}
}

// wait returns once the gate is open. Its error is that of the context.
func (g *gate) wait(ctx context.Context) error {
	g.mu.Lock()
	opened := g.opened
	g.mu.Unlock()
	if opened == nil {
		return ctx.Err()
	}
	select {
	case <-opened:
		return ctx.Err()
	case <-ctx.Done():
		return ctx.Err()
	}
}
