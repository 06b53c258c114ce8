package capture

import (
	"os"
	"syscall"
	"testing"
)

// minorFaults counts the pages that the kernel has found for us so far.
func minorFaults(t *testing.T) int64 {
	t.Helper()
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		t.Fatal(err)
	}
	return u.Minflt
}

// TestWarmHeapHasItsPages: what is allocated after it stands on pages that are there.
func TestWarmHeapHasItsPages(t *testing.T) {
	const threads = 20_000
	warmHeap(threads)
	before := minorFaults(t)
	space := make([]byte, threads*threadSpace/2)
	for i := range space {
		space[i] = 1
	}
	pages := int64(len(space) / os.Getpagesize())
	if faults := minorFaults(t) - before; faults > pages/2 {
		t.Errorf("%d faults for %d pages", faults, pages)
	}
}
