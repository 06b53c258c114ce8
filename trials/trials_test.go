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

// eachMainJDK runs a test on those releases whose attach mechanism or dumps differ
// from the others'.
func eachMainJDK(t *testing.T, test func(t *testing.T, jdk jvmtest.JDK)) {
	for _, jdk := range jvmtest.Available(t) {
		if v := jdk.Version; v == 8 || v == 17 || v == 21 || v == 25 || v > 26 {
			t.Run(fmt.Sprint(v), func(t *testing.T) { test(t, jdk) })
		}
	}
}

func TestPlaces(t *testing.T) {
	eachMainJDK(t, func(t *testing.T, jdk jvmtest.JDK) {
		for _, p := range places {
			if jdk.Version < p.from {
				continue
			}
			t.Run(p.name, func(t *testing.T) {
				t.Parallel()
				p.run(t, jdk)
			})
		}
	})
}
