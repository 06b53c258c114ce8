package iowait

import (
	"slices"
	"strings"

	"github.com/jstall/jstall/analysis/facts"
	"github.com/jstall/jstall/analysis/finding"
	"github.com/jstall/jstall/analysis/stack"
	"github.com/jstall/jstall/analysis/timeline"
	"github.com/jstall/jstall/threaddump"
)

// seedReaders are the prefixes of JDK classes that read random numbers from the operating system.
var seedReaders = [...]string{"sun.security.provider.SeedGenerator", "sun.security.provider.NativePRNG"}

// readsSeed reports whether a thread reads random numbers from a device of the operating system.
func readsSeed(s *timeline.Sample) bool {
	return s.Stack.Op.Kind == stack.OpRead && slices.ContainsFunc(s.Stack.Frames, func(f *threaddump.Frame) bool {
		return slices.ContainsFunc(seedReaders[:], func(class string) bool { return strings.HasPrefix(f.Class, class) })
	})
}

// entropy reports threads that wait for random numbers: /dev/random blocks until the kernel has collected some. One
// dump is a hint. Several dumps are a warning if the threads do not move for stack.IOLeast.
func entropy(f *facts.Facts) []finding.Candidate {
	var readers []*timeline.Sample
	oneDump := len(f.Timeline.Snaps) == 1
	for _, h := range f.Timeline.Alive() {
		if s := h.Last(); h.Thread.Program() && readsSeed(s) && (oneDump || f.Timeline.IsUnchanged(h)) {
			readers = append(readers, s)
		}
	}
	if len(readers) == 0 {
		return nil
	}
	n := len(readers)
	c := finding.Candidate{Finding: finding.Finding{
		Severity: finding.Info, Confidence: finding.Possible,
		Title: timeline.QuoteThreads(timeline.InNameOrder(readers)) + finding.Verb(n, " waits", " wait") +
			" for random numbers of the operating system (/dev/random)",
		Advice: "Start the JVM with -Djava.security.egd=file:/dev/./urandom, or give the host more entropy " +
			"(rngd, haveged, virtio-rng).",
		Culprits: f.Timeline.Refs(readers), Evidence: f.Timeline.PlaceEvidence(f.Timeline.History(readers[0])),
	}}
	if wall := f.Timeline.Wall(); len(f.Timeline.Snaps) > 1 && (!wall.Known || wall.Value >= stack.IOLeast) {
		c.Severity, c.Confidence = finding.Warning, finding.Likely
	}
	return []finding.Candidate{c}
}
