package singlethread_test

import (
	"testing"

	"github.com/jstall/jstall/analysis/finding"
	. "github.com/jstall/jstall/analysis/internal/dumptest"
	"github.com/jstall/jstall/threaddump"
)

// The reports of a server on threads at one place are one finding, although their times differ.
func TestStuckThreadsAtOnePlace(t *testing.T) {
	stuck := func(id int64, name, method, words string) *threaddump.Thread {
		t := Thread(id, name, At("!sun.nio.ch.SocketDispatcher.read0", method, "App.run"))
		t.Stuck = "has been active for " + words + " milliseconds"
		return t
	}
	r := OneDump(stuck(1, "a", "Pay.read", "9,840"), stuck(2, "b", "Pay.read", "11,065"),
		stuck(3, "c", "Pay.read", "10,065"), stuck(4, "d", "Log.read", "11,065"))
	ExpectOnly(t, r, finding.KindSingleThreadBlocked, "single-thread-blocked/warning/likely: b,c,a | \n"+
		"single-thread-blocked/warning/likely: d | ")
	const want = `"b" has been active for 11,065 milliseconds, and 2 more threads for less time`
	if title := r.Findings[0].Title; title != want {
		t.Errorf("title %q, want %q", title, want)
	}
	r = OneDump(stuck(1, "a", "Pay.read", "9,840"), stuck(2, "b", "Pay.read", "9,840"))
	if got := r.Findings[0].Title; got != `"a" has been active for 9,840 milliseconds, and so has 1 more thread` {
		t.Errorf("title %q", got)
	}
}
