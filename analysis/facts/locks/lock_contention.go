package locks

import (
	"time"
)

// Thresholds of lock-contention.
const (
	// ContentionWaiters is how many threads must stand behind one owner.
	ContentionWaiters = 2
)

const (
	// StuckFor is how long an owner must have stood still before it counts as
	// stuck and not as slow.
	StuckFor = time.Second
)
