package lockcontention_test

import (
	"testing"

	"github.com/jstall/jstall/analysis/finding"
	. "github.com/jstall/jstall/analysis/internal/dumptest"
	"github.com/jstall/jstall/analysis/stack"
	"github.com/jstall/jstall/threaddump"
)

func TestOneDumpShowsAnOwnerThatCannotContinue(t *testing.T) {
	blocked := Thread(2, "waiter", At("Shop.order", "Shop.run"), BlockedOn(0xb))
	for name, test := range map[string]struct {
		owner *threaddump.Thread
		want  string
	}{
		"a result": {Thread(1, "owner",
			ParkedIn(stack.JUC+"FutureTask", UnsafePark, stack.JUC+"FutureTask.get", "Shop.load",
				"Shop.run"), Holds(0xb)), "warning/likely"},
		"a socket": {Thread(1, "owner",
			At("!java.net.SocketInputStream.socketRead0", "java.net.SocketInputStream.read", "Shop.load",
				"Shop.run"), Holds(0xb)), "warning/likely"},
		"a socket with a time limit": {Thread(1, "owner",
			At("!sun.nio.ch.Net.poll", "sun.nio.ch.NioSocketImpl.timedRead", "java.net.Socket$SocketInputStream.read",
				"Shop.load", "Shop.run"),
			Holds(0xb)), "info/possible"},
		"a sleep": {Thread(1, "owner", Sleeping, Holds(0xb)), "info/possible"},
		"a file": {Thread(1, "owner",
			At("!java.io.RandomAccessFile.writeBytes", "java.io.RandomAccessFile.write", "Shop.load",
				"Shop.run"), Holds(0xb)), "info/possible"},
	} {
		t.Run(name, func(t *testing.T) {
			ExpectOnly(t, OneDump(test.owner, blocked), finding.KindLockContention, "lock-contention/"+test.want+
				": owner | waiter")
		})
	}
}

func TestOneDumpLeavesOwnersThatWorkAlone(t *testing.T) {
	ExpectOnly(t, OneDump(Thread(1, "owner", At("Shop.count", "Shop.run"), Holds(0xb)),
		Thread(2, "waiter", At("Shop.order", "Shop.run"), BlockedOn(0xb))), finding.KindLockContention, "")
}

// A write to a file ends by itself; with most of the owner's pool behind it the file may be a pipe without a reader.
func TestAWriterThatStopsItsPool(t *testing.T) {
	writer := Thread(1, "pay-1",
		At("!java.io.FileOutputStream.writeBytes", "java.io.FileOutputStream.write", "Pay.book"), Holds(0xb))
	blocked := func(id int64, name string) *threaddump.Thread {
		return Thread(id, name, At("Pay.book", "Pay.run"), BlockedOn(0xb))
	}
	others := []*threaddump.Thread{writer, blocked(2, "pay-2"), blocked(3, "pay-3"), blocked(4, "pay-4")}
	idle := []*threaddump.Thread{Thread(5, "pay-5", At("Pay.run")), Thread(6, "pay-6", At("Pay.run"))}
	ExpectOnly(t, OneDump(others...), finding.KindLockContention,
		"lock-contention/warning/likely: pay-1 | pay-2,pay-3,pay-4")
	ExpectOnly(t, OneDump(others[:3]...), finding.KindLockContention,
		"lock-contention/info/possible: pay-1 | pay-2,pay-3")
	ExpectOnly(t, OneDump(append(others, idle...)...), finding.KindLockContention,
		"lock-contention/info/possible: pay-1 | pay-2,pay-3,pay-4")
}

// Arthas prints the owner of a lock alone, with the count of those that wait for it.
func TestAnOwnerWhoseWaitersAreNotListed(t *testing.T) {
	owner := func(top string) *threaddump.Thread {
		th := Thread(1, "owner", At(top, "java.net.SocketInputStream.read", "Shop.load", "Shop.run"), Holds(0xb))
		th.Locks[0].Blocks = 5
		return th
	}
	reads, works := owner("!java.net.SocketInputStream.socketRead0"), owner("Shop.parse")
	works.Stack = Trace("Shop.parse", "Shop.run")
	ExpectOnly(t, OneDump(reads), finding.KindLockContention, "lock-contention/warning/likely: owner | ")
	ExpectOnly(t, OneDump(works), finding.KindLockContention, "lock-contention/info/possible: owner | ")
	listed := Thread(2, "waiter", At("Shop.order", "Shop.run"), BlockedOn(0xb))
	ExpectOnly(t, OneDump(reads, listed), finding.KindLockContention, "lock-contention/warning/likely: owner | waiter")
}

// Threads that accept by turns are no queue; a producer that the same lock keeps out is one.
func TestOneDumpSeparatesTurnsFromLockouts(t *testing.T) {
	owner := Thread(1, "owner",
		ParkedIn(Condition, UnsafePark, stack.JUC+"LinkedBlockingQueue.take", "Mill.next", "Mill.run"), Holds(0xb))
	ExpectOnly(t, OneDump(owner, Thread(2, "a", At("Mill.next", "Mill.run"), BlockedOn(0xb))),
		finding.KindLockContention, "")
	ExpectOnly(t, OneDump(owner, Thread(2, "a", At("Mill.fill", "Mill.run"), BlockedOn(0xb))),
		finding.KindLockContention,
		"lock-contention/warning/likely: owner | a")
}
