//go:build linux

package attach_test

import (
	"fmt"
	"testing"

	"github.com/jstall/jstall/attach"
	"github.com/jstall/jstall/internal/jvmtest"
)

// BenchmarkThreadDump times a dump of a JVM that has been attached to before.
func BenchmarkThreadDump(b *testing.B) {
	for _, jdk := range jvmtest.Available(b) {
		for _, threads := range []int{30, 5000} {
			b.Run(fmt.Sprintf("jdk=%d/threads=%d", jdk.Version, threads), func(b *testing.B) {
				j := jvmtest.Start(b, jdk, jvmtest.Options{Class: "Idle", Args: []string{fmt.Sprint(threads)}})
				c := patient()
				to := target(j)
				for b.Loop() {
					a, err := c.Execute(b.Context(), to, attach.ThreadDump(jdk.Version, false))
					if err != nil {
						b.Fatal(err)
					}
					b.SetBytes(int64(len(a.Body)))
				}
			})
		}
	}
}

// BenchmarkFirst times the first attach to a JVM, signal and listener's start
// included.
func BenchmarkFirst(b *testing.B) {
	for _, jdk := range jvmtest.Available(b) {
		b.Run(fmt.Sprintf("jdk=%d", jdk.Version), func(b *testing.B) {
			for range b.N {
				b.StopTimer()
				j := jvmtest.Start(b, jdk, jvmtest.Options{Class: "Idle", Args: []string{"30"}})
				b.StartTimer()
				if _, err := patient().Execute(b.Context(), target(j),
					attach.ThreadDump(jdk.Version, false)); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
