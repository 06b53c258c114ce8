package threaddump

import "testing"

// claims are messages of logs, with the thread and the words that they have; empty for none.
var claims = map[string][2]string{
	"W TRAS0114W: Request AACR has been running on thread 00000031 for at least 600001.015ms. The following": {
		"00000031", "has been running for 600001.015 ms"},
	"[G] Blocked system-critical thread has been detected. [workerName=s, threadName=sys-3-#4, blockedFor=12s]": {
		"sys-3-#4", "has been blocked for 12 s"},
	"Stuck Threads:WARNING: Stuck Thread: http-listener-1(4) for 312345ms": {
		"http-listener-1(4)", "has been stuck for 312345 ms"},
	"WARN Thread 'render 1' is blocked for 4,500 milliseconds": {
		"render 1", "has been blocked for 4,500 milliseconds"},
	"DEBUG task ran on thread worker-3 for 900 ms, pool busy for 900 ms": {},
	"ERROR Task running on thread worker-3 failed after 30000 ms":        {},
	"INFO thread pool has been busy for 30 s":                            {},
	"INFO waiting for 30 s":                                              {},
}

func TestClaimsOfLogs(t *testing.T) {
	const frames = "\tat java.base/java.lang.Thread.sleep(Native Method)\n\tat com.acme.barn.Barn.sell(Barn.java:9)\n"
	for message, want := range claims {
		for wrapper, wrap := range logWrappers {
			dumps, _ := Parse([]byte(wrap("10:00:00,001 INFO on\n10:00:01,007 " + message + "\n\n" + frames)))
			var got [2]string
			if len(dumps) == 1 && len(dumps[0].Threads) == 1 {
				th := dumps[0].Threads[0]
				if got = [2]string{th.Name, th.Stuck}; len(th.Stack) != 2 {
					t.Errorf("%s: %s: %d frames", wrapper, message, len(th.Stack))
				}
			}
			if got != want {
				t.Errorf("%s: %s: %q, not %q", wrapper, message, got, want)
			}
		}
		if want[0] == "" {
			continue
		}
		log := "10:00:01,007 " + message + "\njava.io.IOException: broken\n" + frames
		if dumps, _ := Parse([]byte(log)); len(dumps) > 0 {
			t.Errorf("%s: the stack of an exception is that of %+v", message, dumps[0].Threads[0])
		}
	}
}
