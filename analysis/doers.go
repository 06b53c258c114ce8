package analysis

import (
	"fmt"
	"slices"
	"time"

	"jstall/threaddump"
)

// deed is something that threads do, which dumps with -e count for each (JDK 11 and
// newer).
type deed struct {
	who, most string // complete "who …" and "THREAD likely …"
	amount    func(*history) Opt[int64]
}

func allocating() deed {
	return deed{"allocates", "allocates most", func(h *history) Opt[int64] { return h.allocated }}
}

func definingClasses() deed {
	return deed{"defines classes", "defines most of them", (*history).definedClasses}
}

// blameDoers names the threads that do most of something, with what they are at. Where
// the dumps do not count it (JDK 8) it names the one that likely does, and says so;
// told is false then.
func (f *facts) blameDoers(finding *Finding, d deed) (told bool) {
	for _, h := range f.alive() {
		told = told || d.amount(h).Known
	}
	most, _ := f.mostBy(d.amount)
	if !told {
		h, why := f.likelyDoer()
		if h == nil {
			return false
		}
		most = []*history{h}
		finding.Title += "; " + h.thread.called() + " likely " + d.most
		finding.Evidence = append(finding.Evidence, figure("the dumps do not tell who "+d.who+"; "+h.thread.called()+" "+why))
	}
	refs, quotes := f.atWork(most)
	finding.Culprits = refs
	finding.Evidence = append(finding.Evidence, quotes...)
	return told
}

// likelyDoer is the application's thread that uses twice as much CPU as all others
// together, or where that is unknown the one that runs in most dumps; nil if nobody stands
// out. Why completes "THREAD …".
func (f *facts) likelyDoer() (h *history, why string) {
	const outstanding = 2.0 / 3
	if h, share := f.greediest(); h != nil && share >= outstanding {
		return h, "uses " + percent(share) + " of the CPU of the program's threads"
	}
	told := func(h *history) bool { return h.thread.Role == threaddump.Application && h.cpu.Known }
	if h = f.mostlyRunning(); h == nil || slices.ContainsFunc(f.alive(), told) {
		return nil, ""
	}
	return h, fmt.Sprintf("runs in %d of %s, more than others", h.running(), Counted(len(f.snaps), "dump"))
}

// mostlyRunning is the application's thread that runs in most dumps, in half of them
// at least, and of these the one that uses most CPU; nil if two are alike.
func (f *facts) mostlyRunning() *history {
	var best *history
	tied := false
	for _, h := range f.alive() {
		still := h.cpu.Known && h.cpu.Value == 0
		if h.thread.Role != threaddump.Application || still || 2*h.running() < len(f.snaps) {
			continue
		}
		switch {
		case best == nil || h.running() > best.running() || h.running() == best.running() && h.cpu.Value > best.cpu.Value:
			best, tied = h, false
		case h.running() == best.running() && h.cpu.Value == best.cpu.Value:
			tied = true
		}
	}
	if tied {
		return nil
	}
	return best
}

// running counts the dumps that show the thread at work.
func (h *history) running() int {
	n := 0
	for _, s := range h.samples {
		if s.wait == running && s.resting() == nil {
			n++
		}
	}
	return n
}

// greediest is the application's thread that uses more than half of the CPU of all of
// them, with that share; nil if none does, or none more than to wake up. A thread that
// stands still for collections most of the time uses next to none.
func (f *facts) greediest() (best *history, share float64) {
	var sum time.Duration
	for _, h := range f.threads {
		if h.thread.Role != threaddump.Application || !h.cpu.Known {
			continue
		}
		sum += h.cpu.Value
		if best == nil || h.cpu.Value > best.cpu.Value {
			best = h
		}
	}
	if best == nil || 2*best.cpu.Value <= sum || best.cpu.Value <= wakeCost*time.Duration(len(f.snaps)) {
		return nil, 0
	}
	return best, float64(best.cpu.Value) / float64(sum)
}
