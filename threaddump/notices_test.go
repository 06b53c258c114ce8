package threaddump

import (
	"errors"
	"strings"
	"testing"
)

// noticeSamples are warnings as the libraries write them, with what the refusal must have.
var noticeSamples = map[string][]string{
	"WARN [books housekeeper] com.zaxxer.hikari.pool.ProxyLeakTask - Connection leak detection triggered for conn3: " +
		"url=jdbc:x on thread ship-2, stack trace follows\njava.lang.Exception: Apparent connection leak detected\n" +
		"\tat com.zaxxer.hikari.HikariDataSource.getConnection(HikariDataSource.java:100)\n" +
		"\tat com.acme.ware.Shelf.put(Shelf.java:9)\n\tat com.acme.ware.Desk.run(Desk.java:4)\n": {
		"HikariCP", "from books", `"ship-2"`, "taken at com.acme.ware.Shelf.put(Shelf.java:9)"},
	"WARN HikariPool - Connection leak detection triggered for org.h2.Conn@1 on thread a b, stack trace follows\n": {
		"HikariCP", `"a b"`},
	"abandon connection, owner thread: ship-2, connected at : 1700000000000, open stackTrace\n" +
		"\tat java.base/java.lang.Thread.getStackTrace(Thread.java:1619)\n" +
		"\tat com.alibaba.druid.pool.DruidDataSource.getConnectionDirect(DruidDataSource.java:1500)\n" +
		"\tat com.acme.ware.Shelf.put(Shelf.java:9)\n": {"Druid", `"ship-2"`, "Shelf.java:9"},
	"WARNING [Pool-Cleaner] org.apache.tomcat.jdbc.pool.ConnectionPool.abandon Connection has been abandoned " +
		"PooledConnection[org.h2.jdbc.JdbcConnection@1]:java.lang.Exception\n" +
		"\tat org.apache.tomcat.jdbc.pool.ConnectionPool.getThreadDump(ConnectionPool.java:1108)\n" +
		"\tat com.acme.ware.Shelf.put(Shelf.java:9)\n": {"Tomcat JDBC", "Shelf.java:9"},
	"org.apache.commons.pool2.impl.DefaultPooledObject$AbandonedObjectCreatedException: Pooled object created " +
		"2026-11-28 10:00:00 +0100 by the following code has not been returned to the pool:\n" +
		"\tat org.apache.commons.pool2.impl.GenericObjectPool.borrowObject(GenericObjectPool.java:311)\n" +
		"\tat com.acme.ware.Shelf.put(Shelf.java:9)\n": {"DBCP", "Shelf.java:9"},
	"java.lang.Exception: DEBUG STACK TRACE: Overdue resource check-out stack trace.\n" +
		"\tat com.mchange.v2.resourcepool.BasicResourcePool.checkoutResource(BasicResourcePool.java:555)\n" +
		"\tat com.acme.ware.Shelf.put(Shelf.java:9)\n": {"c3p0", "Shelf.java:9"},
	"INFO [io.agroal.pool] Datasource '<default>': Connection leak of io.agroal.pool.wrapper.ConnectionWrapper@1\n": {
		"Agroal"},
	"WARNING [main] The web application [ware] appears to have started a thread named [ship-1] but has failed to " +
		"stop it. This is very likely to create a memory leak. Stack trace of thread:\n" +
		" java.base@17/jdk.internal.misc.Unsafe.park(Native Method)\n" +
		"WARNING [main] The web application [ware] appears to have started a TimerThread named [tick] via the " +
		"java.util.Timer API but has failed to stop it.\n": {"Tomcat", "[ware]", `left: "ship-1", "tick"`},
}

func TestWarningsOfLibrariesAreRefusedByName(t *testing.T) {
	for text, words := range noticeSamples {
		dumps, err := Parse([]byte("INFO started\n" + text + "INFO on it goes\n"))
		foreign := (*ForeignError)(nil)
		if len(dumps) > 0 || !errors.As(err, &foreign) || foreign.Tool == "" {
			t.Errorf("%q: %d dumps, %v", text, len(dumps), err)
			continue
		}
		for _, word := range words {
			if !strings.Contains(foreign.What, word) {
				t.Errorf("%q: %q lacks %q", text, foreign.What, word)
			}
		}
		if strings.ContainsAny(foreign.What, "${}") {
			t.Errorf("%q: %q", text, foreign.What)
		}
	}
}

// A list of ThreadInfos is read wherever it is in the JSON.
func TestListOfThreadInfosInOtherJSON(t *testing.T) {
	list := `[{"waitedCount":0,"lockedMonitors":[],"lockInfo":null,"threadName":"ship-1","threadId":31,` +
		`"threadState":"RUNNABLE","stackTrace":[{"className":"com.acme.ware.Shelf","methodName":"put",` +
		`"fileName":"Shelf.java","lineNumber":9}]}]`
	for _, text := range []string{
		list,
		`{"request":{"arguments":[true,true],"type":"exec"},"value":` + list + `,"status":200}`,
		`[{"request":{"type":"exec"},"value":` + list + `}]`,
		`{"host":"a \"[{ b","result":{"data":` + list + `}}`,
		strings.ReplaceAll(`{"request":{"type":"exec"},"value":`+list+`}`, ",", ",\n"),
	} {
		dumps, err := Parse([]byte(text))
		if err != nil || len(dumps) != 1 || len(dumps[0].Threads) != 1 {
			t.Errorf("%s: %d dumps, %v", text, len(dumps), err)
			continue
		}
		th := dumps[0].Threads[0]
		if th.Name != "ship-1" || th.ID != 31 || th.State != Runnable || len(th.Stack) != 1 {
			t.Errorf("%s: %+v", text, th)
		}
	}
	for _, text := range []string{
		`{"events":[{"threadName":"main","message":"a"}],"n":1}`, `{"a":[{"b":"threadName"}]}`, `{"a":[{"threadName":"`,
	} {
		if dumps, err := Parse([]byte(text)); len(dumps) != 0 || !errors.Is(err, ErrNoDump) {
			t.Errorf("%s: %d dumps, %v", text, len(dumps), err)
		}
	}
}

// Threads of a pool that the program named have no "qtp" in their names.
func TestJettyDumpOfANamedPool(t *testing.T) {
	text := "Server@1{STARTED}[10.0.24,sto=0] - STARTED\n+= QueuedThreadPool[ware]@2{STARTED} - STARTED\n" +
		"|  |  +> ware-17 RUNNABLE tid=17 prio=5 SELECTING\n|  |  +> ware-12 BLOCKED tid=12 prio=5\n" +
		"|  |  |  +> app//com.acme.ware.Shelf.put(Shelf.java:9)\n" +
		"|  |  |  +> java.base/java.lang.Thread.run(Thread.java:1)\n" +
		"|  |  +> ware-13-acceptor-0@7-Http@2{HTTP/1.1, (http/1.1)}{0.0.0.0:80} RUNNABLE tid=13 prio=3 ACCEPTING\n"
	dumps, err := Parse([]byte(text))
	if err != nil || len(dumps) != 1 || len(dumps[0].Threads) != 3 {
		t.Fatalf("%d dumps, %v", len(dumps), err)
	}
	th := dumps[0].Threads[1]
	if th.Name != "ware-12" || th.ID != 12 || th.State != Blocked || len(th.Stack) != 2 {
		t.Errorf("%+v", th)
	}
}
