package analysis

import (
	"os"
	"path/filepath"
	"testing"

	"jstall/analysis/finding"
	"jstall/analysis/stack"
	"jstall/threaddump"
)

// readDump reads a real dump of testdata/dumps/waits, the only one of its file.
func readDump(t *testing.T, name string) *threaddump.Dump {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("../testdata/dumps/waits", name))
	if err != nil {
		t.Fatal(err)
	}
	dumps, err := threaddump.Parse(text)
	if err != nil || len(dumps) != 1 {
		t.Fatalf("%s: %d dumps, %v", name, len(dumps), err)
	}
	return dumps[0]
}

// Real dumps of threads in the code of a listener or callback that a library called, with an idle
// connection pool, a scheduler and a sleeping thread beside them.
func TestDumpsOfListenersThatWait(t *testing.T) {
	for _, test := range []struct {
		file    string
		kind    finding.Kind
		culprit string
		victims int
	}{
		{"jms-receive", finding.KindSingleThreadBlocked, "ActiveMQ Session Task-1", 0},
		{"okhttp-calls", finding.KindResourceExhausted, "OkHttp http://127.0.0.1:42859/...", 4},
	} {
		dumps := unpack(t, "../testdata/dumps/waits/"+test.file+".txt.gz")
		for n, want := range map[int]finding.Severity{1: finding.Info, len(dumps): finding.Warning} {
			r := diagnoseDumps(dumps[:n]...)
			if len(r.Findings) == 0 {
				t.Errorf("%s, %d dumps: nothing", test.file, n)
				continue
			}
			f := r.Findings[0]
			culprit := f.Culprits[0].Name
			if f.Kind != test.kind || f.Severity != want || culprit != test.culprit || f.VictimCount != test.victims {
				t.Errorf("%s, %d dumps: %s %s of %q, %d victims", test.file, n, f.Severity, f.Kind, culprit, f.VictimCount)
			}
		}
	}
}

// A call that reads from the network goes on, and brings what the others wait for.
func TestACallBesideThoseThatWait(t *testing.T) {
	call := func(id int64, top ...string) *threaddump.Thread {
		return thread(id, "OkHttp http://h/...", at(append(top, "okhttp3.internal.connection.RealCall$AsyncCall.run",
			stack.JUC+"ThreadPoolExecutor.runWorker", stack.JUC+"ThreadPoolExecutor$Worker.run", "java.lang.Thread.run")...))
	}
	waits := func(id int64) *threaddump.Thread {
		th := call(id, unsafePark, stack.JUC+"CountDownLatch.await", "App.onResponse")
		latched(uint64(id))(th)
		th.Stack = call(id, unsafePark, stack.JUC+"CountDownLatch.await", "App.onResponse").Stack
		return th
	}
	reads := call(3, "!sun.nio.ch.SocketDispatcher.read0", "java.net.Socket$SocketInputStream.read", "okio.Okio.read")
	expectOnly(t, oneDump(waits(1), waits(2)), finding.KindResourceExhausted,
		"resource-exhausted/info/possible: OkHttp http://h/...,OkHttp http://h/... | ")
	expectOnly(t, oneDump(waits(1), waits(2), reads), finding.KindResourceExhausted, "")
}

// Who takes messages in a thread of the program is a consumer without work; a listener that receives
// again is in the middle of a message.
func TestAReceiveInAListener(t *testing.T) {
	receive := []string{"!java.lang.Object.wait", "org.apache.activemq.FifoMessageDispatchChannel.dequeue",
		"org.apache.activemq.ActiveMQMessageConsumer.receive"}
	for name, test := range map[string]struct {
		below []string
		rests bool
	}{
		"a consumer":                  {[]string{"App.run", "java.lang.Thread.run"}, true},
		"a listener":                  {[]string{"App.onMessage", "org.apache.activemq.ActiveMQMessageConsumer.dispatch", "java.lang.Thread.run"}, false},
		"called by another framework": {[]string{"App.poll", "org.springframework.jms.Listener.run", "java.lang.Thread.run"}, true},
	} {
		s := stack.NewStack(trace(append(receive, test.below...)...), 0)
		if rests := s.Rest != nil; rests != test.rests {
			t.Errorf("%s: rests is %v", name, rests)
		}
	}
}
