package account

import (
	"fmt"
	"math"

	"github.com/jstall/jstall/internal/diagcmd"
	"github.com/jstall/jstall/internal/kernel"
	"github.com/jstall/jstall/internal/render"
)

func vmFlags() view {
	return view{
		name: "vm-flags", usage: "the flags that differ from their default, who set them, and which do not fit the " +
			"container",
		about: `Shows VM.flags -all: the flags that differ from their default, and who set them (JDK 9
and newer). Compares heap size and thread counts with the limits of the JVM's control
group and CPU set.`,
		price:    "no pause; about 1 ms of work.",
		examples: "   jstall vm-flags 4711\n   jstall vm-flags night.zip --json",
		commands: [][]string{{"VM.flags -all", "VM.flags"}}, machine: true, count: 1,
		facts: flagFacts,
	}
}

func flagFacts(s *seen) render.Facts {
	all := answers(s, diagcmd.ParseFlags, "VM.flags -all", "VM.flags")
	if len(all) == 0 {
		return nil
	}
	t := all[len(all)-1].value
	f := render.FlagFacts{Flags: t.Changed, Differs: []string{}}
	if f.Flags == nil {
		f.Flags = []diagcmd.Flag{}
	}
	if machines := s.machines(); len(machines) > 0 {
		f.Limits = flagLimits(machines[len(machines)-1].value)
	}
	f.Differs = append(f.Differs, memoryDiffers(t, f.Limits.MemoryBytes)...)
	f.Differs = append(f.Differs, coresDiffer(t, f.Limits.Cores)...)
	return f
}

// flagLimits are the tightest limits of all levels of control groups.
func flagLimits(files kernel.Files) render.FlagLimits {
	var l render.FlagLimits
	g, m := files.Cgroup(), files.Machine()
	if g.Memory.Limit.Known {
		l.MemoryBytes = &g.Memory.Limit.Value
	}
	cores := math.Inf(1)
	if g.Quota.Known {
		cores = g.Quota.Value
	}
	if m.Allowed.Known {
		cores = min(cores, float64(m.Allowed.Value))
	}
	if !math.IsInf(cores, 1) {
		l.Cores = &cores
	}
	return l
}

// leastSpare is the share of the memory that a JVM needs in addition to its heap, for classes, code, stacks and
// buffers. mostSpare is the share from which on most of a limit is unused.
const leastSpare, mostSpare = 0.1, 0.7

func memoryDiffers(t diagcmd.FlagTable, limit *int64) []string {
	heap := t.Number("MaxHeapSize")
	if limit == nil || !heap.Known || *limit <= 0 {
		return nil
	}
	mb := func(n int64) string { return fmt.Sprintf("%d MB", n>>20) }
	has := fmt.Sprintf("MaxHeapSize is %s, and the control group allows %s", mb(heap.Value), mb(*limit))
	switch spare := 1 - float64(heap.Value)/float64(*limit); {
	case spare < 0:
		return []string{has + ": the kernel kills the JVM before its heap is full"}
	case spare < leastSpare:
		return []string{has + ": the rest may be too small for classes, code, stacks and buffers; then the kernel " +
			"kills the JVM"}
	case spare > mostSpare && t.Origin("MaxHeapSize") == "ergonomic":
		return []string{has + ": most of it is unused; set -XX:MaxRAMPercentage"}
	}
	return nil
}

func coresDiffer(t diagcmd.FlagTable, limit *float64) []string {
	var out []string
	if t.Values["UseContainerSupport"] == "false" {
		out = append(out, "UseContainerSupport is off: the JVM ignores the limits of its control group")
	}
	if limit == nil {
		return out
	}
	whole := int64(math.Ceil(*limit))
	if n := t.Number("ActiveProcessorCount"); n.Known && n.Value > 0 && n.Value != whole {
		out = append(out, fmt.Sprintf("ActiveProcessorCount is %d, and the JVM may use %.4g cores", n.Value, *limit))
	}
	for _, name := range []string{"ParallelGCThreads", "ConcGCThreads"} {
		if n := t.Number(name); n.Known && n.Value > whole {
			out = append(out, fmt.Sprintf("%s is %d, and the JVM may use %.4g cores: the threads share cores, and "+
				"pauses grow",
				name, n.Value, *limit))
		}
	}
	return out
}
