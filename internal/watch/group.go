package watch

import (
	"context"
	"sync/atomic"
	"time"

	"github.com/jstall/jstall/internal/jvm"
)

// Group watches JVMs as they start and end.
type Group struct {
	Options
	// First are the JVMs at the start. Rescan finds the JVMs that run now; without it the watch ends with the JVMs of
	// First.
	First  []jvm.Process
	Rescan func(ctx context.Context) ([]jvm.Process, error)
}

const (
	// searchEvery is the shortest time between searches for JVMs; they are also searchCost times the cost of a search
	// apart.
	searchEvery, searchCost = 2 * time.Second, 500
)

// key distinguishes processes with the same id.
type key struct {
	pid   int
	start uint64
}

func keyOf(p jvm.Process) key { return key{p.PID, p.StartTime} }

// ended is a JVM that is no longer watched.
type ended struct {
	process jvm.Process
	begun   rates
}

// members are the JVMs that are watched now.
type members struct {
	shared  *shared
	count   atomic.Int64
	running map[key]bool
	// before are the rates of JVMs that have ended, by name: a JVM that starts again continues with them.
	before map[string]rates
	ends   chan ended
}

// Run watches until the context ends, or until all JVMs have ended and no search for more is wanted.
func (g *Group) Run(ctx context.Context) error {
	packer, err := newPacker()
	if err != nil {
		return err
	}
	m := &members{running: map[key]bool{}, before: map[string]rates{}, ends: make(chan ended)}
	m.shared = &shared{Options: g.Options, packer: packer, jvms: func() int { return int(m.count.Load()) }}
	for _, p := range g.First {
		m.start(ctx, p)
	}
	next := time.NewTimer(searchEvery)
	defer next.Stop()
	for {
		select {
		case e := <-m.ends:
			m.end(e)
			if ctx.Err() == nil {
				g.Say("%d (%s): the JVM has ended", e.process.PID, e.process.Name())
			}
		case <-next.C:
			if g.Rescan != nil && ctx.Err() == nil {
				next.Reset(g.search(ctx, m))
			}
		case <-ctx.Done():
			for len(m.running) > 0 {
				m.end(<-m.ends)
			}
		}
		if len(m.running) == 0 && (g.Rescan == nil || ctx.Err() != nil) {
			return nil
		}
	}
}

// search begins to watch new JVMs, and returns how long to wait before the next search.
func (g *Group) search(ctx context.Context, m *members) time.Duration {
	before := g.Budget.CPU()
	found, err := g.Rescan(ctx)
	if err != nil && ctx.Err() == nil {
		g.Say("search for JVMs: %v", err)
	}
	for _, p := range found {
		m.start(ctx, p)
	}
	return max(searchEvery, searchCost*(g.Budget.CPU()-before))
}

func (m *members) start(ctx context.Context, p jvm.Process) {
	if m.running[keyOf(p)] {
		return
	}
	m.running[keyOf(p)] = true
	m.count.Add(1)
	begun := m.before[p.Name()]
	delete(m.before, p.Name())
	if begun == nil {
		begun = rates{}
	}
	m.shared.Say("%d (%s): watched", p.PID, p.Name())
	w := newWatched(m.shared, p, begun)
	go func() {
		w.run(ctx)
		m.ends <- ended{p, w.begun}
	}()
}

func (m *members) end(e ended) {
	delete(m.running, keyOf(e.process))
	m.count.Add(-1)
	if len(m.before) > 1000 { // names of the past
		clear(m.before)
	}
	m.before[e.process.Name()] = e.begun
}
