package lockcontention_test

import (
	"testing"

	"github.com/jstall/jstall/analysis/finding"
	. "github.com/jstall/jstall/analysis/internal/dumptest"
	"github.com/jstall/jstall/threaddump"
)

// Derby makes an object for each wait for a row, so the threads in one method are one finding.
func TestRowsOfOneMethodAreOneFinding(t *testing.T) {
	waits := func(id int64, name, method string) *threaddump.Thread {
		t := Thread(id, name, At("!java.lang.Object.wait",
			"org.apache.derby.impl.services.locks.ActiveLock.waitForGrant",
			"org.apache.derby.impl.jdbc.EmbedPreparedStatement.executeUpdate", method, "App.run"))
		t.State, t.Condition = threaddump.TimedWaiting, "in Object.wait()"
		LockOn(t, threaddump.WaitingOn, uint64(0xa00+id), "org.apache.derby.impl.services.locks.ActiveLock")
		return t
	}
	ExpectOnly(t, OneDump(waits(1, "a", "Stock.take"), waits(2, "b", "Stock.take"), waits(3, "c", "Stock.take"),
		waits(4, "d", "Bill.pay")), finding.KindLockContention,
		"lock-contention/info/possible: a,b,c | \nlock-contention/info/possible: d | ")
}
