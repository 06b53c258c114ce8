// Package pinned finds virtual threads that keep their carrier.
package pinned

import (
	"slices"

	"github.com/jstall/jstall/analysis/detect"
	"github.com/jstall/jstall/analysis/facts"
	"github.com/jstall/jstall/analysis/facts/virtual"
	"github.com/jstall/jstall/analysis/finding"
	"github.com/jstall/jstall/analysis/timeline"
)

// Detector reports virtual threads that keep their carrier while they wait.
var Detector = detect.Detector{
	Kind: finding.KindVirtualThreadPinned,
	Doc:  "virtual threads that keep their carrier while they wait",
	Run:  run,
}

// run reports virtual threads that keep their carriers: blocked while they cannot unmount, or computing without end
// while others wait for a carrier.
//
// Rule: a carrier runs the same virtual thread in every dump of the capture and uses either no CPU, then the virtual
// thread is pinned, or most of a core. In one dump only a virtual thread that parks on its carrier counts as pinned. If
// no worker of the scheduler is free, and virtual threads are ready to run, none of them makes progress: critical if
// all carriers are pinned, a warning if some compute. If no virtual thread is known to wait for a carrier, pinned
// carriers are a warning if no worker is free, and a hint otherwise. One dump with a virtual thread on each carrier and
// very many that are ready is a hint.
//
// The finding names what pins: a native method or static initialiser on the stack, for JDK 21 to 23 also a monitor that
// the thread holds or waits for. JDK 21 does not show the owners of monitors, so the frames that may hold one are
// named. If the JVM's memory was read, the finding names a lock that is free while its next owner has no carrier.
func run(f *facts.Facts) []finding.Candidate {
	t := virtual.TakenCarriers(f.Timeline)
	var c finding.Candidate
	switch {
	case len(t.Crowded) > 0:
		c = carriersBusy(f.Timeline, t.Crowded, t.Ready)
		c.Severity, c.Confidence = finding.Info, finding.Possible
		c.Title = crowdedTitle(t.Ready, len(t.Crowded))
	case len(t.Pinned) == 0 && (len(t.Busy) == 0 || !t.NoneFree()):
		return nil
	case len(t.Pinned) == 0:
		c = carriersBusy(f.Timeline, t.Busy, t.Ready)
	case len(t.Busy) > 0 && t.NoneFree():
		c = carriersPinned(f.Timeline, append(t.Pinned, t.Busy...), len(t.Pinned), t.Full, t.Ready)
	default:
		c = carriersPinned(f.Timeline, t.Pinned, len(t.Pinned), t.Full, t.Ready)
	}
	if l := findStarvedLock(f, t.Ready); l != nil && t.NoneFree() {
		l.addTo(&c.Finding)
	}
	return []finding.Candidate{c}
}

func carriersBusy(f *timeline.Timeline, busy []virtual.Carrier, ready []*timeline.Sample) finding.Candidate {
	return finding.Candidate{Finding: finding.Finding{
		Severity: finding.Warning, Confidence: finding.Proven,
		Title: busyTitle(ready, len(busy)), Advice: busyAdvice,
		Culprits: virtual.CarriedRefs(f, busy), Victims: virtual.VirtualRefs(f, ready),
		Evidence: virtual.CarrierEvidence(f,
			busy),
	}, Unlisted: timeline.SizeOf(ready) - len(ready), Behind: virtual.IsCarriersCPU(busy)}
}

func carriersPinned(f *timeline.Timeline, held []virtual.Carrier, pinned int, full bool,
	ready []*timeline.Sample) finding.Candidate {
	result := finding.Finding{
		Severity: finding.Info, Confidence: finding.Likely,
		Culprits: virtual.CarriedRefs(f, held), Victims: virtual.VirtualRefs(f, ready),
		Evidence: virtual.CarrierEvidence(f,
			held),
		Advice: pinAdvice(f, held[0]),
	}
	if !slices.ContainsFunc(held, func(c virtual.Carrier) bool { return !c.SameVirtual }) {
		result.Confidence = finding.Proven
	}
	why := pinning(f, held[0])
	waiting := timeline.SizeOf(ready) > 0
	switch {
	case full && waiting:
		result.Severity = finding.Critical
		if pinned < len(held) || !f.Measurable() {
			result.Severity = finding.Warning
		}
		result.Title = fullTitle(ready, len(held), pinned, why)
	case full:
		result.Severity = finding.Warning
		result.Title = fullTitle(nil, len(held), pinned, why)
	default:
		result.Victims = nil
		result.Title = pinnedTitle(pinned, why)
	}
	c := finding.Candidate{Finding: result, Behind: virtual.IsCarriersCPU(held)}
	if result.Victims != nil {
		c.Unlisted = timeline.SizeOf(ready) - len(ready)
	}
	return c
}
