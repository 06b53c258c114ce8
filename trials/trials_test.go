//go:build linux

package trials_test

import (
	"fmt"
	"os"
	"testing"

	"github.com/jstall/jstall/internal/jvmtest"
)

// trial is one thing that jstall must do on every JDK that supports it.
type trial struct {
	name string
	// from and to are the first and the last release that has it, 0: all.
	from, to int
	// alone is true if no other trial may run at the same time.
	alone bool
	run   func(t *testing.T, jdk jvmtest.JDK)
}

// together lets a trial run in parallel to others.
func (tr trial) together(t *testing.T) {
	if !tr.alone {
		t.Parallel()
	}
}

func (tr trial) of(jdk jvmtest.JDK) bool {
	return jdk.Version >= tr.from && (tr.to == 0 || jdk.Version <= tr.to)
}

// eachMainJDK makes trials on JDK 8 and 25. With HEAVY=1 it takes all releases whose attach mechanism or dumps differ
// from the others', and with SAVE=1 too, which writes what was seen on them.
func eachMainJDK(t *testing.T, trials []trial) {
	for _, jdk := range jvmtest.Available(t) {
		if slice := jdk.Version == 8 || jdk.Version == 25; isMain(jdk.Version) &&
			(slice || jvmtest.Everywhere() || os.Getenv("SAVE") != "") {
			t.Run(fmt.Sprint(jdk.Version), func(t *testing.T) { tryAll(t, jdk, trials) })
		}
	}
}

func isMain(release int) bool {
	return release == 8 || release == 17 || release == 21 || release == 25
}

func tryAll(t *testing.T, jdk jvmtest.JDK, trials []trial) {
	for _, tr := range trials {
		if tr.of(jdk) {
			t.Run(tr.name, func(t *testing.T) {
				tr.together(t)
				tr.run(t, jdk)
			})
		}
	}
}

func TestPlaces(t *testing.T) { eachMainJDK(t, places) }
func TestStates(t *testing.T) { eachMainJDK(t, states) }
func TestJobs(t *testing.T)   { eachMainJDK(t, jobs()) }
