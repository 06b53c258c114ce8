//go:build linux

package trials_test

import (
	"fmt"
	"testing"

	"jstall/internal/jvmtest"
)

// trial is one thing that jstall must manage on every JDK that has it.
type trial struct {
	name string
	from int // first release that has it, 0: all
	run  func(t *testing.T, jdk jvmtest.JDK)
}

// eachMainJDK makes trials on those releases whose attach mechanism or dumps differ
// from the others'.
func eachMainJDK(t *testing.T, trials []trial) {
	for _, jdk := range jvmtest.Available(t) {
		if v := jdk.Version; v == 8 || v == 17 || v == 21 || v == 25 || v > 26 {
			t.Run(fmt.Sprint(v), func(t *testing.T) { tryAll(t, jdk, trials) })
		}
	}
}

func tryAll(t *testing.T, jdk jvmtest.JDK, trials []trial) {
	for _, tr := range trials {
		if jdk.Version >= tr.from {
			t.Run(tr.name, func(t *testing.T) {
				t.Parallel()
				tr.run(t, jdk)
			})
		}
	}
}

func TestPlaces(t *testing.T) { eachMainJDK(t, places) }
func TestStates(t *testing.T) { eachMainJDK(t, states) }
