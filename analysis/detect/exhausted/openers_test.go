package exhausted_test

import (
	"strings"
	"testing"

	"github.com/jstall/jstall/analysis/finding"
	. "github.com/jstall/jstall/analysis/internal/dumptest"
	"github.com/jstall/jstall/analysis/stack"
	"github.com/jstall/jstall/threaddump"
)

// A thread of the pool that opens a connection and gets no answer is to blame, where no thread uses one.
func TestAPoolThatOpensConnections(t *testing.T) {
	const hikari = "com.zaxxer.hikari.pool."
	borrows := At(UnsafePark, stack.JUC+"SynchronousQueue.poll", "com.zaxxer.hikari.util.ConcurrentBag.borrow",
		hikari+"HikariPool.getConnection", "Shop.order", "Shop.run")
	adder := func(calls ...string) *threaddump.Thread {
		frames := append([]string{"!sun.nio.ch.SocketDispatcher.read0", "java.net.Socket$SocketInputStream.read"},
			calls...)
		return Thread(9, "adder", At(append(frames, stack.JUC+"ThreadPoolExecutor$Worker.run")...), Used(1, 9))
	}
	for name, c := range map[string]struct {
		other *threaddump.Thread
		want  string
	}{
		"opens":  {adder("org.h2.Driver.connect", hikari+"PoolBase.newConnection"), "adder | a,b"},
		"closes": {adder("org.h2.jdbc.JdbcConnection.close", hikari+"PoolBase.quietlyCloseConnection"), "a,b | "},
	} {
		opens := name == "opens"
		waiter := func(id int64, name string) *threaddump.Thread {
			return Thread(id, name, borrows, WaitingState, Used(1, 9))
		}
		ExpectOnly(t, DiagnoseAll(Same(waiter(1, "a"), waiter(2, "b"), c.other)), finding.KindResourceExhausted,
			"resource-exhausted/warning/likely: "+c.want)
		r := DiagnoseAll(Same(waiter(1, "a"), waiter(2, "b"), c.other))
		if title := r.Findings[0].Title; strings.Contains(title, "2 threads wait in Shop.order; ") != opens {
			t.Errorf("title %q", title)
		}
	}
}
