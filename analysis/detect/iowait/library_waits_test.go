package iowait_test

import (
	"fmt"
	"strings"
	"testing"

	. "github.com/jstall/jstall/analysis/internal/dumptest"
	"github.com/jstall/jstall/analysis/stack"
	"github.com/jstall/jstall/analysis/timeline"
	"github.com/jstall/jstall/threaddump"
)

// Calls of libraries that wait while a thread of the library's own does the I/O, and
// databases inside the JVM whose rows are locked.
func TestWaitsWithinLibraries(t *testing.T) {
	waits := func(methods ...string) Part {
		return func(t *threaddump.Thread) { At(methods...)(t); Waiting(0xa)(t); Timed(t) }
	}
	send := waits("org.apache.kafka.clients.producer.internals.ProducerMetadata.awaitUpdate",
		"org.apache.kafka.clients.producer.KafkaProducer.waitOnMetadata",
		"org.apache.kafka.clients.producer.KafkaProducer.send", "App.ship", "App.run", "java.lang.Thread.run")
	login := waits("java.util.concurrent.LinkedBlockingQueue.take", "com.sun.jndi.ldap.LdapRequest.getReplyBer",
		"com.sun.jndi.ldap.Connection.readReply",
		"com.sun.jndi.ldap.LdapClient.ldapBind", "javax.naming.InitialContext.<init>", "Directory.login",
		"java.lang.Thread.run")
	get := []string{"java.util.concurrent.CompletableFuture.get", "jdk.internal.net.http.HttpClientImpl.send",
		"jdk.internal.net.http.HttpClientFacade.send"}
	calls := waits(append(get[:3:3], "App.ask", "App.price", "App.run", "java.lang.Thread.run")...)
	longPoll := waits(append(get[:3:3], "App.run", "java.lang.Thread.run")...)
	poll := waits("org.apache.kafka.clients.consumer.KafkaConsumer.poll", "App.run", "java.lang.Thread.run")
	row := waits("org.h2.mvstore.tx.Transaction.waitForThisToEnd", "org.h2.mvstore.db.MVTable.lockRow",
		"org.h2.jdbc.JdbcStatement.executeUpdate",
		"Desk.rent", "Desk.serve", "java.lang.Thread.run")
	shared := waits("org.apache.curator.framework.recipes.locks.LockInternals.internalLockLoop",
		"org.apache.curator.framework.recipes.locks.InterProcessMutex.acquire",
		"Desk.rent", "Desk.serve", "java.lang.Thread.run")
	remote := func(method string) Part { // parks on nothing, as for the answer of another member
		return func(t *threaddump.Thread) {
			At(UnsafePark, stack.JUC+"locks.LockSupport.park",
				"com.hazelcast.spi.impl.AbstractInvocationFuture.joinInternal",
				"com.hazelcast.internal.locksupport.LockProxySupport.lock",
				"com.hazelcast.map.impl.proxy.MapProxyImpl.lock", "Desk."+
					method, "Desk.serve", "java.lang.Thread.run")(t)
			t.State = threaddump.Waiting
		}
	}
	inLine := func(n int, p Part) Part {
		return func(t *threaddump.Thread) {
			p(t)
			for _, f := range t.Stack {
				if f.Method == "rent" {
					f.Line, f.Text = n, fmt.Sprintf("Desk.rent(Desk.java:%d)", n)
				}
			}
		}
	}
	asks := inLine(10, func(t *threaddump.Thread) { shared(t); t.State = threaddump.Waiting })
	tries := inLine(10, shared)
	has := inLine(12, AsleepIn("Desk.partner", "Desk.rent", "Desk.serve", "java.lang.Thread.run"))
	keeps := Asleep("Desk.partner", "Desk.sync", "Desk.serve", "java.lang.Thread.run")
	answered := func(t *threaddump.Thread) {
		longPoll(t)
		t.State = threaddump.Waiting
		Used(t.Elapsed.Value.Seconds()/100, t.Elapsed.Value.Seconds())(t)
	}
	cache := []string{"com.google.common.cache.LocalCache$Segment.lockedGetOrLoad",
		"com.google.common.cache.LocalCache.get", "Desk.price", "Desk.serve", "java.lang.Thread.run"}
	loads := func(t *threaddump.Thread) {
		At(append([]string{"Desk.compute", "Desk$1.load"}, cache...)...)(t)
		Sleeping(t)
	}
	wants := func(t *threaddump.Thread) {
		At(append([]string{UnsafePark, stack.JUC + "locks.LockSupport.park",
			"com.google.common.util.concurrent.AbstractFuture.get",
			"com.google.common.cache.LocalCache$Segment.waitForLoadingValue"}, cache[1:]...)...)(t)
		t.State = threaddump.Waiting
		LockOn(t, threaddump.Parking, 0xa, "com.google.common.util.concurrent.SettableFuture")
	}
	loadsAndWants := func(t *threaddump.Thread) {
		At(append([]string{UnsafePark, stack.JUC + "locks.LockSupport.park",
			"com.google.common.util.concurrent.AbstractFuture.get",
			"com.google.common.cache.LocalCache$Segment.waitForLoadingValue",
			"com.google.common.cache.LocalCache.get", "Desk.side", "Desk$1.load"}, cache...)...)(t)
		t.State = threaddump.Waiting
		LockOn(t, threaddump.Parking, uint64(t.ID), "com.google.common.util.concurrent.SettableFuture")
	}
	find := func(more ...Part) Part {
		return func(t *threaddump.Thread) {
			for _, p := range append([]Part{At("com.mongodb.client.internal.MongoClientImpl.find", "Desk.rent",
				"Desk.serve", "java.lang.Thread.run")}, more...) {
				p(t)
			}
		}
	}
	for _, test := range []struct {
		name, want, title string
		parts             []Part
	}{
		{"a server that does not answer a library", "io-wait/warning/likely: a | ",
			`"a" waits for the answer to MongoClient.find`, []Part{find(Waiting(0xa))}},
		{"a thread that runs in a library", "", "", []Part{find()}},
		{"a lock of a library", "lock-contention/warning/proven: b | a", "",
			[]Part{find(BlockedOn(0xa)), func(t *threaddump.Thread) { keeps(t); Holds(0xa)(t) }}},
		{"a broker that does not answer", "io-wait/warning/likely: a,b | ",
			"2 threads wait for the answer to KafkaProducer.send", []Part{send, send}},
		{"a directory that does not answer", "io-wait/warning/likely: a | ", `"a" waits for the answer to InitialContext.<init>`, []Part{login}},
		{"a server that does not answer", "io-wait/warning/likely: a,b | ",
			"2 threads wait for the answer to HttpClient.send", []Part{calls, calls}},
		{"several that are answered in turn", "io-wait/info/possible: a,b,c | ", "",
			[]Part{longPoll, longPoll, longPoll, answered}},
		{"a long poll", "io-wait/info/possible: a | ", "", []Part{longPoll}},
		{"a consumer without messages", "", "", []Part{poll}},
		{"who loads what others want of a cache", "single-thread-blocked/warning/likely: a | b,c",
			`"a", which loads what others wait for, sleeps`, []Part{loads, wants, wants}},
		{"two that load what the other wants",
			"deadlock/critical/likely: a,b | c\nsingle-thread-blocked/warning/likely: a,b | b,c < deadlock-1",
			`"a" and "b" deadlock in a cache loader: each waits for a value that the other thread loads`,
			[]Part{loadsAndWants, loadsAndWants, wants}},
		{"two that load, of which one works", "", "", []Part{loadsAndWants, loads}},
		{"who loads what one other wants of it", "", "", []Part{loads, wants}},
		{"two others in it", "lock-contention/warning/likely: a,b | ", "the end of a transaction",
			[]Part{row, row, Asleep("Desk$Import.next", "Desk$Import.run", "java.lang.Thread.run"),
				Asleep("Desk.lambda$main$0", "java.lang.Thread.run")}},
		{"a lock that several JVMs share", "lock-contention/warning/likely: c | a,b",
			`2 threads wait for a lock that several JVMs may share; "c" likely has it while it sleeps`, []Part{asks, asks, has}},
		{"two of them, by two methods", "lock-contention/info/possible: a | \nlock-contention/info/possible: b | ",
			"1 thread waits for a lock", []Part{remote("rent"), remote("sell")}},
		{"which perhaps another one has", "lock-contention/info/possible: a,b | ", "a lock that several JVMs may share",
			[]Part{asks, asks}},
		{"which another thread has, with one in its class", "lock-contention/info/possible: a,b | ",
			"a lock that several JVMs may share", []Part{asks, asks, keeps}},
		{"which they give up after a time", "lock-contention/info/possible: c | a,b",
			"a lock that several JVMs may share", []Part{tries, tries, has}},
		{"without a visible owner", "lock-contention/warning/likely: a,b | ", "the end of a transaction",
			[]Part{row, row}},
	} {
		t.Run(test.name, func(t *testing.T) {
			var all []timeline.Observation
			for i := range 3 {
				o := Observe(float64(i))
				for j, p := range test.parts {
					o.Dump.Threads = append(o.Dump.Threads,
						Thread(int64(1+j), string(rune('a'+j)), Used(1, 9+float64(i)), p))
				}
				all = append(all, o)
			}
			r := Diagnose(all...)
			if test.want == "" {
				Expect(t, r)
				return
			}
			Expect(t, r, strings.Split(test.want, "\n")...)
			if !strings.Contains(r.Findings[0].Title, test.title) {
				t.Errorf("%q", r.Findings[0].Title)
			}
		})
	}
}
