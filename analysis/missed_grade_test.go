package analysis

import (
	"testing"

	"jstall/threaddump"
)

// Several that wait for a state are no workers that wait for a job, though they were started
// with no more than the method that asks for it; one alone may be there until the end.
func TestSeveralThatAwaitAState(t *testing.T) {
	for _, test := range []struct {
		method string
		alone  bool
		want   string
	}{
		{"Day.awaitClosed", false, "missed-signal/warning/likely: a,b | main"},
		{"Day.waitUntilReady", false, "missed-signal/warning/likely: a,b | main"},
		{"Day.awaitClosed", true, "missed-signal/info/possible: a | main"},
		{"Day.awaitOrder", false, ""},
		{"Day.awaitAssigned", false, ""},
		{"Pool.waitForJobsReady", false, ""},
		{"Day.next", false, ""},
	} {
		waits := func(id int64, name string) *threaddump.Thread {
			th := thread(id, name, waiting(0xa), used(0.001, 9))
			th.Stack = stack("!java.lang.Object.wait0", "java.lang.Object.wait", test.method, "Clerk.run", "java.lang.Thread.run")
			return th
		}
		var look []Observation
		for i := range 3 {
			threads := []*threaddump.Thread{waits(2, "a"), thread(1, "main", at("App.main"), joins(0xb), used(0.1, 9))}
			if !test.alone {
				threads = append(threads, waits(3, "b"))
			}
			look = append(look, observe(float64(i), threads...))
		}
		expectOnly(t, diagnose(look...), KindMissedSignal, test.want)
	}
}

// Where both ends of the only connection are read in one JVM, nothing comes over it; a peer
// elsewhere, or one of this JVM that has something to do, may send.
func TestResultsAwaitedBesideOwnConnection(t *testing.T) {
	reads := at("!sun.nio.ch.SocketDispatcher.read0", "java.net.Socket$SocketInputStream.read", "java.io.BufferedReader.readLine", "App.answers", "java.lang.Thread.run")
	for _, test := range []struct {
		name           string
		here, at, peer string
		want           string
	}{
		{"both ends here", ownSocket, "accepted-socket", "127.0.0.1:5000", "missed-signal/warning/likely: a,b | "},
		{"a client of another host", ownSocket, "accepted-socket", "10.0.0.7:5000", ""},
		{"the other end elsewhere", "client-socket", "accepted-socket", "127.0.0.1:5000", ""},
		{"the other end is at work", ownSocket, "", "", ""},
	} {
		var look []Observation
		for i := range 3 {
			asks := func(id int64, name string) *threaddump.Thread {
				th := thread(id, name, used(0.01, 9), at(juc+"CompletableFuture.waitingGet", juc+"CompletableFuture.join", "App$Desk.run"))
				th.State = threaddump.Waiting
				lockOn(th, threaddump.Parking, uint64(0xa0+id), juc+"CompletableFuture$Signaller")
				return th
			}
			o := observe(float64(i), asks(1, "a"), asks(2, "b"), thread(3, "in", reads, used(0.01, 9)), thread(4, "house", reads, used(0.01, 9)))
			o.Tasks = map[int64]Task{
				o.Dump.Threads[2].NativeID: {State: "S", File: test.here, Peer: "127.0.0.1:4000"},
				o.Dump.Threads[3].NativeID: {State: "S", File: test.at, Peer: test.peer},
			}
			look = append(look, o)
		}
		t.Run(test.name, func(t *testing.T) { expectOnly(t, diagnose(look...), KindMissedSignal, test.want) })
	}
}
