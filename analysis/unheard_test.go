package analysis

import (
	"net/netip"
	"testing"

	"jstall/analysis/stack"
	"jstall/analysis/timeline"
	"jstall/threaddump"
)

func peers(all ...string) []netip.AddrPort {
	out := make([]netip.AddrPort, len(all))
	for i, text := range all {
		out[i] = netip.MustParseAddrPort(text)
	}
	return out
}

// A connection to a port of the JVM itself at which nobody accepts is never answered, whatever
// other threads do.
func TestUnheardConnections(t *testing.T) {
	reads := thread(2, "c", at("!sun.nio.ch.SocketDispatcher.read0", "java.net.Socket$SocketInputStream.read", "App.load", "java.lang.Thread.run"), used(1, 10))
	latch := thread(1, "main", latched(0x77), used(1, 10))
	latch.Stack = append(trace("!jdk.internal.misc.Unsafe.park", stack.JUC+"CountDownLatch.await"), trace("App.main")...)
	acceptor := thread(3, "acc", at("!sun.nio.ch.Net.accept", "java.net.ServerSocket.accept", "Other.run"), used(1, 10))
	look := func(file, peer string, threads ...*threaddump.Thread) *Report {
		var all []timeline.Observation
		for i := range 3 {
			o := observe(float64(i), threads...)
			o.Machine = &timeline.Machine{Backlogs: []timeline.Backlog{{Port: 8080, Open: 1, Pending: peers("127.0.0.1:5001")}}}
			o.Tasks = map[int64]timeline.Task{reads.NativeID: {State: "S", File: file, Peer: peer}}
			all = append(all, o)
		}
		return diagnose(all...)
	}
	joins := thread(1, "main", waiting(0x99), used(1, 10))
	joins.Stack = trace("!java.lang.Object.wait0", "java.lang.Thread.join", "App.main")
	const stuck, alone = "io-wait/warning/likely: c | ", "io-wait/info/possible: c | "
	expect(t, look("client-socket", "127.0.0.1:8080", latch, reads), stuck)
	expect(t, look("client-socket", "127.0.0.1:8080", latch, reads, acceptor), stuck)
	expect(t, look("own-socket", "127.0.0.1:8080", latch, reads), alone)
	expect(t, look("client-socket", "10.0.0.7:8080", latch, reads), alone)
	expect(t, look("client-socket", "127.0.0.1:8080", joins, reads), stuck)
}
