package hotspot_test

import (
	"fmt"
	"os"
	"testing"
	"time"

	"github.com/jstall/jstall/internal/hotspot"
	"github.com/jstall/jstall/internal/jvmtest"
	"github.com/jstall/jstall/internal/kernel"
)

// TestCost logs what a dump of few and of many threads takes: MATRIX=1, on a machine that does nothing else.
func TestCost(t *testing.T) {
	if os.Getenv("MATRIX") == "" {
		t.Skip("set MATRIX=1")
	}
	for _, jdk := range builds(t) {
		for _, threads := range []string{"30", "5000"} {
			t.Run(fmt.Sprint(jdk.Version, " ", threads), func(t *testing.T) {
				jvm := jvmtest.Start(t, jdk, jvmtest.Options{Class: "ManyThreads", Args: []string{threads}})
				begin := time.Now()
				p, err := hotspot.OpenProcess(t.Context(), kernel.New("/proc"), jvm.PID())
				if err != nil {
					t.Fatal(err)
				}
				opened := time.Since(begin)
				var took []time.Duration
				for range 4 {
					begin = time.Now()
					if _, err := p.Dump(t.Context()); err != nil {
						t.Fatal(err)
					}
					took = append(took, time.Since(begin).Round(10*time.Microsecond))
				}
				t.Logf("opened in %v, dumps in %v", opened.Round(10*time.Microsecond), took)
			})
		}
	}
}
