package exhausted_test

import (
	"fmt"
	"testing"

	"jstall/analysis"
	. "jstall/analysis/internal/dumptest"
	"jstall/threaddump"
)

// Threads that wait for their turn at a rate limiter, some of which get it.
func TestRateLimiter(t *testing.T) {
	guava := []string{"!java.lang.Thread.sleep", "java.util.concurrent.TimeUnit.sleep",
		"com.google.common.util.concurrent.Uninterruptibles.sleepUninterruptibly",
		"com.google.common.util.concurrent.RateLimiter$SleepingStopwatch$1.sleepMicrosUninterruptibly", "com.google.common.util.concurrent.RateLimiter.acquire"}
	resilience := []string{UnsafePark,
		"io.github.resilience4j.ratelimiter.internal.AtomicRateLimiter.waitForPermission",
		"io.github.resilience4j.ratelimiter.internal.AtomicRateLimiter.acquirePermission"}
	bucket := []string{UnsafePark, "io.github.bucket4j.BlockingStrategy$1.park",
		"io.github.bucket4j.AbstractBucket$2.consume"}
	failsafe := []string{"!java.lang.Thread.sleep", "java.util.concurrent.TimeUnit.sleep",
		"dev.failsafe.internal.RateLimiterImpl.acquirePermits"}
	look := func(waiting, passing int, in []string) *analysis.Report {
		var all [][]*threaddump.Thread
		for dump := range 3 {
			var threads []*threaddump.Thread
			for i := range waiting {
				cpu := 1.0
				if i < passing {
					cpu += 0.001 * float64(dump)
				}
				p := ParkedIn("", append(in[:len(in):len(in)], "App.send", "App.serve", "java.lang.Thread.run")...)
				timed := func(t *threaddump.Thread) { t.State = threaddump.TimedWaiting }
				threads = append(threads, Thread(int64(i+1), fmt.Sprint("t", i), p, timed, Used(cpu, 10+float64(dump))))
			}
			all = append(all, threads)
		}
		return DiagnoseAll(all)
	}
	for name, in := range map[string][]string{"Guava": guava, "Resilience4j": resilience, "Bucket4j": bucket,
		"Failsafe": failsafe} {
		t.Run(name, func(t *testing.T) {
			r := look(3, 1, in)
			Expect(t, r, "resource-exhausted/warning/likely: t0,t1,t2 | ")
			for _, th := range r.Threads {
				if th.Kind == "java" && (th.WaitsFor == nil || th.WaitsFor.Type != "permit" || th.Frame != "App.send") {
					t.Errorf("%s: %+v, %s", th.Name, th.WaitsFor, th.Frame)
				}
			}
		})
	}
	Expect(t, look(6, 3, guava), "resource-exhausted/info/possible: t0,t1,t2,t3,t4,t5 | ")
	Expect(t, look(6, 5, guava))
	Expect(t, look(1, 0, guava))
}
