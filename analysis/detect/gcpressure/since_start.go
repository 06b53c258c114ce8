package gcpressure

import (
	"time"

	"github.com/jstall/jstall/analysis/facts/memory"
	"github.com/jstall/jstall/analysis/finding"
	"github.com/jstall/jstall/analysis/stack"
	"github.com/jstall/jstall/analysis/timeline"
	"github.com/jstall/jstall/threaddump"
)

// Thresholds of gc-pressure since the start of the JVM.
const (
	// gcSinceStart is the part of the JVM's age that its parallel GC threads must have worked, each on average. They
	// work while the application is paused, so it has been paused at least as long.
	gcSinceStart = 0.3
	// gcConcurrentSinceStart is the same for concurrent GC threads. They are few, and may work half of the time without
	// harm.
	gcConcurrentSinceStart = 0.8
	// gcTimeSinceStart is the least CPU time of all GC threads, because the start of a JVM has many collections.
	gcTimeSinceStart = time.Minute
)

// gcPausing and gcConcurrent are prefixes of the names of GC threads that work in pauses, and of concurrent ones.
var (
	gcPausing    = []string{"GC Thread#", "GC task thread#", "ParGC Thread#"}
	gcConcurrent = []string{"ZWorker", "XWorker#", "Shenandoah GC Threads#"}
)

// gcHistory is what the GC threads of one dump have used since the JVM started.
type gcHistory struct {
	cpu, age            time.Duration
	pausing, concurrent int // numbers of threads
}

// gcSinceTheStart reads the CPU times of GC threads in the last dump; ok if they and the JVM's age are known.
func gcSinceTheStart(f *timeline.Timeline) (g gcHistory, ok bool) {
	age := memory.Age(f)
	if !age.Known || age.Value <= 0 {
		return g, false
	}
	g.age = age.Value
	for _, h := range f.Alive() {
		s := h.Last()
		if h.Thread.Role != threaddump.GC || s.CPUTime == timeline.Unknown {
			continue
		}
		g.cpu += time.Duration(s.CPUTime)
		switch {
		case stack.StartsWithAny(h.Thread.Name, gcPausing):
			g.pausing++
		case stack.StartsWithAny(h.Thread.Name, gcConcurrent):
			g.concurrent++
		}
	}
	return g, g.pausing+g.concurrent > 0
}

// share is the part of the JVM's age that each of its GC threads has worked.
func (g gcHistory) share() float64 {
	return g.cpu.Seconds() / g.age.Seconds() / float64(g.pausing+g.concurrent)
}

func (g gcHistory) isMuch() bool {
	least := gcSinceStart
	if g.pausing == 0 {
		least = gcConcurrentSinceStart
	}
	return g.cpu >= gcTimeSinceStart && g.share() >= least
}

// gcPressureSinceStart reports GC threads that have worked for a large part of the JVM's age: one dump shows it.
func gcPressureSinceStart(f *timeline.Timeline) []finding.Candidate {
	g, ok := gcSinceTheStart(f)
	if !ok || !g.isMuch() {
		return nil
	}

	result := finding.Finding{
		Severity: finding.Info, Confidence: finding.Likely,
		Title: g.title(), Advice: sinceStartAdvice, Evidence: []finding.Evidence{g.evidence()},
	}
	blameAllocators(f, &result)
	return []finding.Candidate{{Finding: result}}
}
