package hotspot_test

import (
	"fmt"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"jstall/internal/hotspot"
	"jstall/internal/jvmtest"
	"jstall/internal/kernel"
)

// BenchmarkDump reads all threads of a process: the first time after it was opened, and again.
func BenchmarkDump(b *testing.B) {
	for _, threads := range []string{"30", "5000"} {
		jvm := jvmtest.Start(b, jvmtest.Newest(b, 17), jvmtest.Options{Class: "ManyThreads", Args: []string{threads}})
		open := func() *hotspot.Process {
			p, err := hotspot.OpenProcess(b.Context(), kernel.New("/proc"), jvm.PID())
			if err != nil {
				b.Fatal(err)
			}
			return p
		}
		dump := func(p *hotspot.Process) {
			if _, err := p.Dump(b.Context()); err != nil {
				b.Fatal(err)
			}
		}
		b.Run(fmt.Sprint("first/", threads), func(b *testing.B) {
			before := ownCPU(b)
			for b.Loop() {
				dump(open())
			}
			b.ReportMetric((ownCPU(b)-before).Seconds()*1000/float64(b.N), "cpu-ms/op")
		})
		b.Run(fmt.Sprint("again/", threads), func(b *testing.B) {
			p := open()
			before := ownCPU(b)
			for b.Loop() {
				dump(p)
			}
			b.ReportMetric((ownCPU(b)-before).Seconds()*1000/float64(b.N), "cpu-ms/op")
		})
	}
}

// ownCPU is the CPU time of the test itself, which tells more than wall time on a machine that does something else too.
func ownCPU(b *testing.B) time.Duration {
	b.Helper()
	var u unix.Rusage
	if err := unix.Getrusage(unix.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
