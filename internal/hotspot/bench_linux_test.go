package hotspot_test

import (
	"fmt"
	"testing"

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
			for b.Loop() {
				dump(open())
			}
		})
		b.Run(fmt.Sprint("again/", threads), func(b *testing.B) {
			p := open()
			for b.Loop() {
				dump(p)
			}
		})
	}
}
