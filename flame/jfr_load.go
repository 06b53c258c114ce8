package flame

import (
	"fmt"
	"math"
	"time"

	"github.com/google/pprof/profile"
)

// Events that tell how much CPU time a process used.
const (
	cpuLoad        = "jdk.CPULoad"
	cpuInformation = "jdk.CPUInformation"
)

// mostCores is more than a machine has.
const mostCores = 1 << 16

// cpuLoads sum what a recording says of the CPU time of its process.
type cpuLoads struct {
	// shares are those of the machine that the process used, each over about a second, and count how
	// many they are.
	shares float64
	count  int
	cores  uint64
}

// learn takes an event. What no machine can have is left out.
func (l *cpuLoads) learn(name string, e fields) {
	if name == cpuInformation {
		if n := e["hwThreads"]; n <= mostCores {
			l.cores = n
		}
		return
	}
	share := float64(math.Float32frombits(uint32(e["jvmUser"]))) + float64(math.Float32frombits(uint32(e["jvmSystem"])))
	if share >= 0 && share <= 1 {
		l.shares += share
		l.count++
	}
}

// used is the CPU time of the process over so long, 0 if it is not known.
func (l *cpuLoads) used(length time.Duration) time.Duration {
	if l.count < 2 || length <= 0 {
		return 0
	}
	return time.Duration(whole(uint64(min(l.shares/float64(l.count)*float64(l.cores)*float64(length), 1<<63))))
}

const (
	// enoughSampled is the part of a process's CPU time that samples usually account for: the rest is
	// of the collector and the compiler, and an error of the samples.
	enoughSampled = 0.7
	// leastUsed is the CPU time of which that can be said.
	leastUsed = 200 * time.Millisecond
)

// Unsampled says that the samples of a profile account for much less CPU time than the process used,
// by a source that it names; empty if they do not, or that is not known.
func Unsampled(p *profile.Profile, used time.Duration, source string) string {
	index := typeIndex(p, CPU)
	if index < 0 || used < leastUsed {
		return ""
	}
	var sampled int64
	for _, s := range p.Sample {
		sampled = plus(sampled, s.Value[index])
	}
	if float64(sampled) >= enoughSampled*float64(used) {
		return ""
	}
	return fmt.Sprintf("The samples account for %.1f s of the %.1f s of CPU time that the process used (%s). The "+
		"rest is work of the collector, the compiler or native code, or its samples were lost.",
		time.Duration(sampled).Seconds(), used.Seconds(), source)
}
