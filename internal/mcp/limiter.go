package mcp

import (
	"fmt"
	"time"
)

const (
	// rest is the time between the end of one capture of a JVM and the next. A capture of three dumps takes two
	// seconds, so a JVM is left alone for most of the time.
	rest = 5 * time.Second
	// perMinute bounds the captures of a JVM in a minute: a model that asks in a loop takes fewer dumps than a person
	// who watches.
	perMinute = 6
	// longestWait bounds how long a call waits in total until its JVM may be captured. Six captures take 25 s at least,
	// so a client that makes one call after the other waits at most 35 s. Many clients end a call after a minute.
	longestWait = 45 * time.Second
)

// limiter knows when each JVM was captured. The caller serialises its use.
type limiter struct{ last map[Process][]time.Time }

// TooSoonError says that a capture comes too soon, and how long to wait. The user sees it if other calls take the turn
// each time.
type TooSoonError struct {
	PID  int
	Wait time.Duration
}

func (e *TooSoonError) Error() string {
	return fmt.Sprintf("no new capture of %d now: %s, and other calls came first. Call again in %d s, or without "+
		"fresh to see the last capture again", e.PID, limits(), int((e.Wait+time.Second-1)/time.Second))
}

// limits are the limits in words.
func limits() string {
	return fmt.Sprintf("a JVM is captured at most every %d s and %d times a minute", int(rest.Seconds()), perMinute)
}

// check returns a TooSoonError for a capture that comes too soon.
func (l *limiter) check(p Process, now time.Time) error {
	l.forget(now)
	times := l.last[p]
	var wait time.Duration
	if n := len(times); n > 0 {
		wait = rest - now.Sub(times[n-1])
	}
	if n := len(times); n >= perMinute {
		wait = max(wait, time.Minute-now.Sub(times[n-perMinute]))
	}
	if wait > 0 {
		return &TooSoonError{p.PID, wait}
	}
	return nil
}

// note keeps the time at which a capture ended, even of one that failed, as it cost the JVM too.
func (l *limiter) note(p Process, now time.Time) { l.last[p] = append(l.last[p], now) }

// forget drops the times that no longer matter.
func (l *limiter) forget(now time.Time) {
	for p, times := range l.last {
		for len(times) > 0 && now.Sub(times[0]) >= time.Minute {
			times = times[1:]
		}
		if l.last[p] = times; len(times) == 0 {
			delete(l.last, p)
		}
	}
}
