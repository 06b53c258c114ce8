package analysis

import (
	"slices"

	"jstall/analysis/detect"
	"jstall/analysis/detect/cpustarved"
	"jstall/analysis/detect/deadlock"
	"jstall/analysis/detect/exhausted"
	"jstall/analysis/detect/gcpressure"
	"jstall/analysis/detect/heapgrowth"
	"jstall/analysis/detect/hotthread"
	"jstall/analysis/detect/iowait"
	"jstall/analysis/detect/jfrcpu"
	"jstall/analysis/detect/jfrexceptions"
	"jstall/analysis/detect/jfrheap"
	"jstall/analysis/detect/jfrlocks"
	"jstall/analysis/detect/jfrmemory"
	"jstall/analysis/detect/jfrothers"
	"jstall/analysis/detect/jfrpauses"
	"jstall/analysis/detect/jfrpinned"
	"jstall/analysis/detect/jfrquota"
	"jstall/analysis/detect/jfrreads"
	"jstall/analysis/detect/jfrsafepoints"
	"jstall/analysis/detect/jfrthreads"
	"jstall/analysis/detect/jitpressure"
	"jstall/analysis/detect/limitnear"
	"jstall/analysis/detect/lockcontention"
	"jstall/analysis/detect/metaspace"
	"jstall/analysis/detect/missedsignal"
	"jstall/analysis/detect/pinned"
	"jstall/analysis/detect/pooldeadlock"
	"jstall/analysis/detect/queuefull"
	"jstall/analysis/detect/samecall"
	"jstall/analysis/detect/saturated"
	"jstall/analysis/detect/singlethread"
	"jstall/analysis/detect/spin"
	"jstall/analysis/detect/threadleak"
	"jstall/analysis/facts"
	"jstall/analysis/finding"
	"jstall/analysis/flight"
)

// detectors are all that we know to look for, in the order in which they run.
var detectors = []detect.Detector{
	deadlock.Detector,
	pooldeadlock.Detector,
	lockcontention.Detector,
	exhausted.Detector,
	queuefull.Detector,
	saturated.Detector,
	singlethread.Detector,
	pinned.Detector,
	spin.Detector,
	hotthread.Detector,
	gcpressure.Detector,
	heapgrowth.Detector,
	threadleak.Detector,
	metaspace.Detector,
	iowait.Detector,
	cpustarved.Detector,
	jitpressure.Detector,
	limitnear.Detector,
	samecall.Detector,
	missedsignal.Detector,
	jfrcpu.Detector,
	jfrexceptions.Detector,
	jfrheap.Detector,
	jfrlocks.Detector,
	jfrmemory.Detector,
	jfrothers.Detector,
	jfrpauses.Detector,
	jfrpinned.Detector,
	jfrquota.Detector,
	jfrreads.Detector,
	jfrsafepoints.Detector,
	jfrthreads.Detector,
}

// findings runs the detectors of the kinds that are wanted.
func findings(f *facts.Facts, flights []*flight.Recording, opts Options) []finding.Finding {
	all := append(runAll(detectors, f, opts), runRecorded(detectors, flights, opts)...)
	all = append(all, elsewhere(f.Timeline, opts, all)...)
	return ranked(all)
}

// ranked puts findings in order, each behind the one that explains it.
func ranked(all []finding.Candidate) []finding.Finding {
	slices.SortStableFunc(all, compareCandidates)
	number(all)
	return explain(all)
}

// runAll are the findings of some detectors.
func runAll(detectors []detect.Detector, f *facts.Facts, opts Options) []finding.Candidate {
	var all []finding.Candidate
	for _, d := range detectors {
		if d.Run == nil || !opts.wants(d.Kind) {
			continue
		}
		found := d.Run(f)
		if f.WrittenFacts != nil && d.Virtual {
			found = append(found, facts.OnlyVirtual(f.Timeline, d.Run(f.WrittenFacts))...)
		}
		for _, c := range found {
			c.Kind = d.Kind
			all = append(all, c)
		}
	}
	for _, d := range detectors {
		if d.Rest == nil {
			continue
		}
		for _, c := range d.Rest(f, all) {
			if opts.wants(c.Kind) {
				all = append(all, c)
			}
		}
	}
	return all
}
