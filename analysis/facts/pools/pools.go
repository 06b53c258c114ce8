// Package pools finds executors by their workers, and who waits for their results.
package pools

import (
	"sync"

	"github.com/jstall/jstall/analysis/facts/locks"
	"github.com/jstall/jstall/analysis/timeline"
)

// Pools are the executors and who waits for their results.
type Pools struct {
	Timeline *timeline.Timeline
	Locks    *locks.Locks
	pools    []*Pool
	byWorker map[*timeline.History]*Pool // the executor of each worker
	callers  func() map[*Pool][]*timeline.History
	runners  func() *runners
}

// New computes the executors. Who waits for their results, and who runs tasks, is computed once, when a detector
// first asks.
func New(l *locks.Locks) *Pools {
	f := &Pools{Timeline: l.Timeline, Locks: l, pools: findPools(l.Timeline), byWorker: map[*timeline.History]*Pool{}}
	for _, p := range f.pools {
		for _, h := range p.Workers {
			f.byWorker[h] = p
		}
	}
	f.callers = sync.OnceValue(f.assignCallers)
	f.runners = sync.OnceValue(f.findRunners)
	return f
}

// Executors are the pools in the order of their patterns.
func (f *Pools) Executors() []*Pool { return f.pools }

// PoolOf is the executor that a thread works for at the end of the capture, nil if it works for no executor.
func (f *Pools) PoolOf(h *timeline.History) *Pool { return f.byWorker[h] }
