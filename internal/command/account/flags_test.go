package account

import (
	"strings"
	"testing"

	"github.com/jstall/jstall/internal/diagcmd"
)

func TestFlagsAgainstLimits(t *testing.T) {
	gb := int64(1 << 30)
	for _, c := range []struct {
		name, flags string
		memory      int64
		cores       float64
		want        string
	}{
		{"fits", "-XX:MaxHeapSize=1073741824 -XX:ParallelGCThreads=2", 2 * gb, 2, ""},
		{"over", "-XX:MaxHeapSize=4294967296", 2 * gb, 2, "before its heap is full"},
		{"tight", "-XX:MaxHeapSize=2040109465", 2 * gb, 2, "may be too small"},
		{"idle", "size_t MaxHeapSize = 536870912 {product} {ergonomic}", 2 * gb, 2, "most of it is unused"},
		{"chosen", "size_t MaxHeapSize = 536870912 {product} {command line}", 2 * gb, 2, ""},
		{"threads", "-XX:ParallelGCThreads=8", 0, 1.5, "ParallelGCThreads is 8, and the JVM may use 1.5 cores"},
		{"processors", "-XX:ActiveProcessorCount=4", 0, 2, "ActiveProcessorCount is 4"},
		{"blind", "-XX:-UseContainerSupport", 0, 0, "ignores the limits"},
	} {
		table := diagcmd.ParseFlags(c.flags)
		var memory *int64
		var cores *float64
		if c.memory > 0 {
			memory = &c.memory
		}
		if c.cores > 0 {
			cores = &c.cores
		}
		got := strings.Join(append(memoryDiffers(table, memory), coresDiffer(table, cores)...), "; ")
		if (c.want == "") != (got == "") || !strings.Contains(got, c.want) {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}
