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

// run reports virtual threads that keep their carriers: blocked while they
// cannot leave them, or computing without end while others wait for a carrier.
//
// Rule: a carrier runs the same virtual thread in every dump of the capture and either uses no CPU, which makes that
// one pinned, or most of a core. In one dump alone a virtual thread that parks on its carrier tells by that. If no
// worker of the scheduler is left, and virtual threads are ready to run, nothing gets on: critical if all are pinned,
// a warning if some compute. Pinned carriers without anybody seen to wait for one are a warning if no worker is left,
// and a hint else. One dump with a virtual thread on each carrier and very many that are ready is a hint.
//
// What pins is named: a native method or static initialiser on the stack, from 21 to 23 also a monitor that is held or
// waited for. JDK 21 does not tell who holds monitors; there the frames are named that may. A lock that is free and
// whose next owner has no carrier is named, where the JVM's memory was read.
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
		l.tell(&c.Finding)
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
