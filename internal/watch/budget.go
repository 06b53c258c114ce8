package watch

import (
	"sync"
	"time"
)

// Budget bounds our own CPU time: readings wait until what they cost is covered. It is for any number of goroutines.
type Budget struct {
	// Share is the part of a core that may be used, 0 to 1.
	Share float64
	// CPU is the CPU time of this process so far.
	CPU func() time.Duration

	mu    sync.Mutex
	level time.Duration // what may be used now, negative after an expensive reading
	used  time.Duration
	at    time.Time
}

// burst is how much may be saved up for a moment in which more is to be seen.
const burst = 30 * time.Millisecond

// Wait is how long it is until a reading may begin.
func (b *Budget) Wait(now time.Time) time.Duration {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.account(now)
	if b.level > 0 {
		return 0
	}
	return time.Duration(float64(-b.level)/b.Share) + time.Millisecond
}

func (b *Budget) account(now time.Time) {
	used := b.CPU()
	if b.at.IsZero() {
		b.level = burst
	} else {
		earned := time.Duration(b.Share * float64(now.Sub(b.at)))
		b.level = min(burst, b.level+earned-(used-b.used))
	}
	b.used, b.at = used, now
}

// Free runs what is no reading, such as writing a recording: its CPU time is not taken from that of the readings.
func (b *Budget) Free(f func()) {
	before := b.CPU()
	f()
	b.mu.Lock()
	defer b.mu.Unlock()
	b.account(time.Now())
	b.level = min(burst, b.level+b.used-before)
}
