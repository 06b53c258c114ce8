package mcp

import (
	"errors"
	"strings"
	"testing"
	"time"
)

// TestLimiter goes through the captures of a minute.
func TestLimiter(t *testing.T) {
	l := limiter{last: map[Process][]time.Time{}}
	one, later := Process{PID: 1, Start: 5}, Process{PID: 1, Start: 9}
	start := time.Unix(1000, 0)
	at := func(seconds int) time.Time { return start.Add(time.Duration(seconds) * time.Second) }
	for i := range perMinute {
		if err := l.check(one, at(6*i)); err != nil {
			t.Errorf("capture %d is refused: %v", i, err)
		}
		l.note(one, at(6*i))
		var soon *TooSoonError
		if err := l.check(one, at(6*i+3)); !errors.As(err, &soon) {
			t.Errorf("a capture 3 s after another one: %v", err)
		}
	}
	var soon *TooSoonError
	if err := l.check(one, at(40)); !errors.As(err, &soon) || soon.Wait != 20*time.Second {
		t.Errorf("capture %d of a minute: %v", perMinute+1, err)
	}
	if err := l.check(later, at(40)); err != nil {
		t.Errorf("another process with the pid: %v", err)
	}
	if err := l.check(one, at(60)); err != nil {
		t.Errorf("after a minute: %v", err)
	}
	if l.check(later, at(1000)); len(l.last) != 0 {
		t.Errorf("keeps %v", l.last)
	}
}

// TestNothingEndsTheBlock frames texts that try to.
func TestNothingEndsTheBlock(t *testing.T) {
	for _, text := range []string{"```", "````\n```", "a\r```\u2028```\u202e", strings.Repeat("`", 100), ""} {
		a := answer{whole: text, next: "More."}
		shown, _, err := a.show(Bounds{}, time.Time{})
		if err != nil {
			t.Fatal(err)
		}
		lines := strings.Split(shown, "\n")
		fence := strings.TrimSuffix(lines[2], "text")
		inside, at := 0, -1
		for i, line := range lines[3:] {
			if strings.HasPrefix(line, fence) {
				inside, at = inside+1, i+3
			}
		}
		if inside != 1 || lines[at] != fence || lines[len(lines)-1] != "More." ||
			strings.ContainsAny(shown, "\r\u2028\u202e") {
			t.Errorf("%q is not held:\n%s", text, shown)
		}
	}
}

// TestALineLongerThanTheAnswer is cut between characters.
func TestALineLongerThanTheAnswer(t *testing.T) {
	long := answer{whole: strings.Repeat("ü", 100_000) + "\nsecond"}
	shown, facts, err := long.show(Bounds{MaxTokens: leastTokens}, time.Time{})
	if err != nil || len(shown) > leastTokens*tokenBytes || !strings.Contains(shown, "üü…\n") ||
		facts.NextOffset != 1 || !facts.Shortened {
		t.Errorf("%d bytes, %+v, %v", len(shown), facts, err)
	}
}
