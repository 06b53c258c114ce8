package hotspot_test

import (
	"cmp"
	"fmt"
	"os"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/jstall/jstall/internal/hotspot"
	"github.com/jstall/jstall/internal/jvmtest"
	"github.com/jstall/jstall/internal/kernel"
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

// ownCPU is the CPU time of the test itself, which says more than wall time on a busy machine.
func ownCPU(b *testing.B) time.Duration {
	b.Helper()
	var u unix.Rusage
	if err := unix.Getrusage(unix.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// BenchmarkVirtual reads a process with so many virtual threads, and makes the text of them; BENCH_THREADS=1000000
// takes a million, which needs 4 GB for the JVM.
func BenchmarkVirtual(b *testing.B) {
	threads := cmp.Or(os.Getenv("BENCH_THREADS"), "100000")
	jdk := jvmtest.Find(b, "25")
	jvm := jvmtest.Start(b, jdk, jvmtest.Options{
		Class: "com.acme.load.ParkedRequests", Args: []string{threads}, ClassPath: jvmtest.VirtualClasses(b, jdk),
		JVMArgs: []string{"-Xmx3g"},
	})
	p, err := hotspot.OpenProcess(b.Context(), kernel.New("/proc"), jvm.PID())
	if err != nil {
		b.Fatal(err)
	}
	before := ownCPU(b)
	for b.Loop() {
		d, err := p.Dump(b.Context())
		if err != nil || fmt.Sprint(len(d.Virtual.Threads)) != threads {
			b.Fatalf("%d threads, %v", len(d.Virtual.Threads), err)
		}
		_ = d.VirtualText()
	}
	b.ReportMetric((ownCPU(b)-before).Seconds()*1000/float64(b.N), "cpu-ms/op")
}

// BenchmarkNoVirtual looks for virtual threads in a process that has never had one, at first and again.
func BenchmarkNoVirtual(b *testing.B) {
	for _, version := range []string{"21", "25", "26"} {
		jvm := jvmtest.Start(b, jvmtest.Find(b, version), jvmtest.Options{Class: "Idle", Args: []string{"20"}})
		p, err := hotspot.OpenProcess(b.Context(), kernel.New("/proc"), jvm.PID())
		if err != nil {
			b.Fatal(err)
		}
		for _, again := range []bool{false, true} {
			b.Run(fmt.Sprint(version, " again=", again), func(b *testing.B) {
				for b.Loop() {
					if !again {
						p.ForgetBoot()
					}
					if _, err := p.Supplement(b.Context(), false); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}
