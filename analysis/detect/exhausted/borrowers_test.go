package exhausted_test

import (
	"testing"

	"github.com/jstall/jstall/analysis/finding"
	. "github.com/jstall/jstall/analysis/internal/dumptest"
	"github.com/jstall/jstall/threaddump"
)

// One dump of programs on real libraries shows who holds what others wait for.
func TestHoldersInRealDumps(t *testing.T) {
	for file, want := range map[string]string{
		"semaphore.txt":         "resource-exhausted/warning/likely: lane-0,lane-2 | lane-1,lane-3,lane-4,lane-5",
		"semaphore-healthy.txt": "",
		"nested.txt":            "resource-exhausted/warning/likely: audit-0,audit-1,audit-3 | audit-2,audit-4,audit-5",
		"http.txt":              "resource-exhausted/warning/likely: fetch-3,fetch-4 | fetch-0,fetch-1,fetch-2,fetch-5",
		"jedis.txt": "resource-exhausted/warning/likely: web-0,web-1,web-2 | " +
			"web-3,web-4,web-5,web-6,web-7,web-8",
		"hikari.txt": "resource-exhausted/warning/likely: order-126,order-233,order-589 | " +
			"order-102,order-116,order-12,order-577,order-79",
		"busy.txt": "resource-exhausted/info/possible: order-233,order-79,order-958 | " +
			"order-102,order-12,order-577,order-589,order-600",
	} {
		ExpectOnly(t, DiagnoseDumps(Parse(t, "holders/"+file)...), finding.KindResourceExhausted, want)
	}
	r := DiagnoseDumps(Parse(t, "holders/virtual.json")...)
	if f := r.Findings[0]; f.Kind != finding.KindResourceExhausted || f.Severity != finding.Warning ||
		len(f.Culprits) != 2 || f.VictimCount != 38 {
		t.Errorf("%s %s: %v, %d wait", f.Severity, f.Title, f.Culprits, f.VictimCount)
	}
}

// A call on a proxy of the pool's library shows a holder, wherever the program made it.
func TestHoldersInCallsOnPooledObjects(t *testing.T) {
	waits := func(id int64, name string, frames ...string) *threaddump.Thread {
		return Thread(id, name, At(append(frames, "Shop.order", "Shop.run")...),
			Calls(Condition, 0xe, Condition+".await"), Timed)
	}
	reads := func(frames ...string) *threaddump.Thread {
		return Thread(9, "h", At(append(append([]string{"!sun.nio.ch.SocketDispatcher.read0",
			"java.net.Socket$SocketInputStream.read"}, frames...), "Report.sum", "Report.run")...))
	}
	const hikari = "com.zaxxer.hikari."
	borrows := []string{hikari + "util.ConcurrentBag.borrow", hikari + "pool.HikariPool.getConnection"}
	const held, unheld, maybe = "resource-exhausted/warning/likely: h | a,b",
		"resource-exhausted/info/possible: a,b | ", "resource-exhausted/info/possible: h | a,b"
	for _, test := range []struct {
		name   string
		holder *threaddump.Thread
		want   string
	}{
		{"a statement of the pool", reads("org.postgresql.core.VisibleBufferedInputStream.read",
			hikari+"pool.HikariProxyPreparedStatement.executeQuery"), held},
		{"a statement of another pool", reads("org.postgresql.core.VisibleBufferedInputStream.read",
			"org.apache.commons.dbcp2.DelegatingStatement.execute"), unheld},
		{"no statement", reads("org.postgresql.core.VisibleBufferedInputStream.read"), unheld},
		{"a transaction",
			Thread(9, "h",
				At("!sun.nio.ch.SocketDispatcher.read0", "java.net.Socket$SocketInputStream.read", "Report.sum",
					"org.springframework.transaction.support.TransactionTemplate.execute", "Report.run")), maybe},
		{"a read in the class that asks",
			Thread(9, "h", At("!sun.nio.ch.SocketDispatcher.read0", "java.net.Socket$SocketInputStream.read",
				"Shop.receipt", "Report.run")), maybe},
		{"an idle worker", Thread(9, "h", IdleAt(0xc)), unheld},
	} {
		t.Run(test.name, func(t *testing.T) {
			ExpectOnly(t, OneDump(waits(1, "a", borrows...), waits(2, "b", borrows...), test.holder),
				finding.KindResourceExhausted, test.want)
		})
	}
}

// All threads of a pool that wait for an object without a time limit are a warning from one dump, even if no thread is
// seen to hold one; a thread of the pool that does something else is not.
func TestAWholePoolWaitsForObjects(t *testing.T) {
	waits := func(id int64, name string) *threaddump.Thread {
		return Thread(id, name, At("Mail.send", "Mail.run"),
			Calls(Condition, 0xe, "org.apache.commons.pool2.impl.LinkedBlockingDeque.takeFirst",
				"org.apache.commons.pool2.impl.GenericObjectPool.borrowObject"))
	}
	all := []*threaddump.Thread{waits(1, "mail-1"), waits(2, "mail-2"), waits(3, "mail-3")}
	works := Thread(4, "mail-4", At("Mail.render", "Mail.run"))
	other := Thread(5, "licence", At("Other.check", "Other.run"), Sleeping)
	ExpectOnly(t, OneDump(append(all, other)...), finding.KindResourceExhausted,
		"resource-exhausted/warning/likely: mail-1,mail-2,mail-3 | ")
	ExpectOnly(t, OneDump(append(all, works)...), finding.KindResourceExhausted,
		"resource-exhausted/info/possible: mail-1,mail-2,mail-3 | ")
}
