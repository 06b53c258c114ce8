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
	// granted is when the last reading could begin, usedThen what was used then, usual what one takes lately.
	granted  time.Time
	usedThen time.Duration
	usual    time.Duration
}

const (
	// burst is how much may be saved up for a moment in which more is to be seen.
	burst = 30 * time.Millisecond
	// slower is how many times as long as usual the next reading waits at most: what an unusually expensive one has
	// taken is paid for by many, so that no long time is without a reading.
	slower = 1.25
	// debt is how much of it may be unpaid.
	debt = 100 * time.Millisecond
	// recent is the weight of the latest reading in what is usual.
	recent = 0.2
)

// Wait is how long it is until a reading may begin, 0 if it does now.
func (b *Budget) Wait(now time.Time) time.Duration {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.account(now)
	latest := b.granted.Add(time.Duration(slower * float64(b.usual) / b.Share))
	if b.level > 0 || b.usual > 0 && b.level > -debt && !now.Before(latest) {
		b.grant(now)
		return 0
	}
	wait := b.earn(-b.level)
	if b.usual > 0 {
		wait = min(wait, max(b.earn(-debt-b.level), latest.Sub(now)))
	}
	return wait + time.Millisecond
}

// earn is how long it takes until so much CPU time may be used.
func (b *Budget) earn(cpu time.Duration) time.Duration { return time.Duration(float64(cpu) / b.Share) }

// grant notes that a reading begins, and what the one before has taken.
func (b *Budget) grant(now time.Time) {
	took := b.used - b.usedThen
	switch {
	case b.granted.IsZero():
	case b.usual == 0:
		b.usual = took
	default:
		b.usual += time.Duration(recent * float64(took-b.usual))
	}
	b.granted, b.usedThen = now, b.used
}

func (b *Budget) account(now time.Time) {
	used := b.CPU()
	if b.at.IsZero() {
		b.level, b.usedThen = burst, used
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
	b.usedThen += b.used - before
}
