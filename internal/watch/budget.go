package watch

import (
	"sync"
	"time"
)

// Budget bounds jstall's own CPU time: a reading waits until earlier ones are paid for. It is safe for concurrent use.
type Budget struct {
	// Share is the part of a core that may be used, 0 to 1.
	Share float64
	// CPU is the CPU time of this process so far.
	CPU func() time.Duration

	mu    sync.Mutex
	level time.Duration // CPU time that may be used now, negative after an expensive reading
	used  time.Duration
	at    time.Time
	// granted is when the last reading could begin, usedThen the CPU time used until then, usual the recent cost of one
	// reading.
	granted  time.Time
	usedThen time.Duration
	usual    time.Duration
}

const (
	// burst is how much CPU time may be saved up for times with more readings.
	burst = 30 * time.Millisecond
	// slower bounds the wait for the next reading, in multiples of the usual one. Many readings pay for an unusually
	// expensive one, so that there is no long time without a reading.
	slower = 1.25
	// debt is how much of that may be unpaid.
	debt = 100 * time.Millisecond
	// recent is the weight of the latest reading in usual.
	recent = 0.2
)

// Wait returns the time until a reading may begin. At 0 the reading begins now.
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

// earn is the time until this CPU time may be used.
func (b *Budget) earn(cpu time.Duration) time.Duration { return time.Duration(float64(cpu) / b.Share) }

// grant notes that a reading begins, and the cost of the one before.
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

// Free runs work other than a reading, such as writing a recording, without charging its CPU time to the readings.
func (b *Budget) Free(f func()) {
	before := b.CPU()
	f()
	b.mu.Lock()
	defer b.mu.Unlock()
	b.account(time.Now())
	b.level = min(burst, b.level+b.used-before)
	b.usedThen += b.used - before
}
