package analysis

import (
	"github.com/jstall/jstall/analysis/detect"
	"github.com/jstall/jstall/analysis/detect/cpustarved"
	"github.com/jstall/jstall/analysis/detect/deadlock"
	"github.com/jstall/jstall/analysis/detect/exhausted"
	"github.com/jstall/jstall/analysis/detect/gcpressure"
	"github.com/jstall/jstall/analysis/detect/heapgrowth"
	"github.com/jstall/jstall/analysis/detect/hotthread"
	"github.com/jstall/jstall/analysis/detect/iowait"
	"github.com/jstall/jstall/analysis/detect/jitpressure"
	"github.com/jstall/jstall/analysis/detect/limitnear"
	"github.com/jstall/jstall/analysis/detect/lockcontention"
	"github.com/jstall/jstall/analysis/detect/metaspace"
	"github.com/jstall/jstall/analysis/detect/missedsignal"
	"github.com/jstall/jstall/analysis/detect/pinned"
	"github.com/jstall/jstall/analysis/detect/pooldeadlock"
	"github.com/jstall/jstall/analysis/detect/queuefull"
	"github.com/jstall/jstall/analysis/detect/recorded"
	"github.com/jstall/jstall/analysis/detect/samecall"
	"github.com/jstall/jstall/analysis/detect/saturated"
	"github.com/jstall/jstall/analysis/detect/singlethread"
	"github.com/jstall/jstall/analysis/detect/spin"
	"github.com/jstall/jstall/analysis/detect/threadleak"
	"github.com/jstall/jstall/analysis/detect/unresponsive"
	"github.com/jstall/jstall/analysis/facts"
	"github.com/jstall/jstall/analysis/finding"
	"github.com/jstall/jstall/analysis/flight"
	"github.com/jstall/jstall/internal/order"
)

// detectors are all detectors, in the order in which they run.
var detectors = []detect.Detector{
	deadlock.Detector,
	pooldeadlock.Detector,
	unresponsive.Detector,
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
	recorded.Detector,
}

// findings runs the detectors of the wanted kinds.
func findings(f *facts.Facts, flights []*flight.Recording, opts Options) []finding.Finding {
	all := append(runAll(detectors, f, opts), runRecorded(detectors, flights, opts)...)
	all = append(all, elsewhere(f.Timeline, opts, all)...)
	return ranked(all)
}

// ranked sorts findings and puts each behind the finding that explains it.
func ranked(all []finding.Candidate) []finding.Finding {
	order.SortStable(all, compareCandidates)
	number(all)
	return explain(all)
}

// runAll returns the findings of some detectors.
func runAll(detectors []detect.Detector, f *facts.Facts, opts Options) []finding.Candidate {
	var all []finding.Candidate
	for _, d := range detectors {
		if d.Run == nil || !opts.wants(d.Kind) {
			continue
		}
		found := d.Run(f)
		if f.Written != nil && d.Virtual {
			found = append(found, facts.OnlyVirtual(f.Timeline, d.Run(f.Written))...)
		}
		for _, c := range found {
			c.Kind = d.Kind
			all = append(all, c)
		}
	}
	for _, d := range detectors {
		if d.RunLast == nil {
			continue
		}
		for _, c := range d.RunLast(f, all) {
			if opts.wants(c.Kind) {
				all = append(all, c)
			}
		}
	}
	return all
}
