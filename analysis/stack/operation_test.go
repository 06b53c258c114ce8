package stack

import (
	"strings"
	"testing"

	"jstall/threaddump"
)

// What a selector does without waiting is no wait of its caller.
func TestWakeUpsAreNoSelect(t *testing.T) {
	for name, want := range map[string]OpKind{
		"sun.nio.ch.EPoll wait":                  OpSelect,
		"sun.nio.ch.EPollArrayWrapper epollWait": OpSelect,
		"sun.nio.ch.EPollSelectorImpl doSelect":  OpSelect,
		"sun.nio.ch.KQueue poll":                 OpSelect,
		"sun.nio.ch.EPollSelectorImpl wakeup":    OpNone,
		"sun.nio.ch.EPoll ctl":                   OpNone,
		"sun.nio.ch.KQueueSelectorImpl wakeup":   OpNone,
		"sun.nio.ch.KQueue register":             OpNone,
	} {
		f := &threaddump.Frame{}
		f.Class, f.Method, _ = strings.Cut(name, " ")
		if got := opKindOf(f); got != want {
			t.Errorf("%s: %v, want %v", name, got, want)
		}
	}
}
