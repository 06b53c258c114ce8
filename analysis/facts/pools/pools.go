package pools

import (
	"jstall/analysis/facts/locks"
	"jstall/analysis/timeline"
)

// Pools are the executors and who waits for their results.
type Pools struct {
	*locks.Locks
	pools    []*Pool
	byWorker map[*timeline.History]*Pool // the executor of each worker
	callers  map[*Pool][]*timeline.History
	runners  *runners // the threads that run a task
}
