package analysis

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"jstall/threaddump"
)

// deed is something that threads do, which dumps with -e count for each (JDK 11 and
// newer).
type deed struct {
	who, most string // complete "who …" and "THREAD likely …"
	amount    func(*history) Opt[int64]
}

// mostQuotes is how many of those who do most are quoted at it.
const mostQuotes = 4

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
	most, total := f.mostBy(d.amount)
	if len(most) == 0 {
		most = f.crewOf(d, total)
	}
	if !told {
		var why string
		if most, why = f.likelyDoers(); len(most) == 0 {
			return false
		}
		names := quoteThreads(lastSamples(most))
		finding.Title += "; " + names + " likely " + d.by(len(most))
		finding.Evidence = append(finding.Evidence, figure("the dumps do not tell who "+d.who+"; "+names+" "+why))
	}
	refs, quotes := f.atWork(most)
	finding.Culprits = refs
	finding.Evidence = append(finding.Evidence, quotes[:min(mostQuotes, len(quotes))]...)
	return told
}

// crewOf are the threads of one pattern of names that together do three quarters of
// something, the greatest first, without those that do less than half of the mean. Threads
// without names are no crew.
func (f *facts) crewOf(d deed, total int64) []*history {
	sums, crews := map[string]int64{}, map[string][]*history{}
	for _, h := range f.threads {
		if a := d.amount(h); h.thread.program() && h.thread.Name != "" && a.Known && a.Value > 0 {
			pattern := namePattern(h.thread.Name)
			sums[pattern] += a.Value
			crews[pattern] = append(crews[pattern], h)
		}
	}
	for pattern, crew := range crews {
		if 4*sums[pattern] < 3*total {
			continue
		}
		mean := sums[pattern] / int64(len(crew))
		crew = slices.DeleteFunc(crew, func(h *history) bool { return 2*d.amount(h).Value < mean })
		slices.SortStableFunc(crew, func(a, b *history) int { return cmp.Compare(d.amount(b).Value, d.amount(a).Value) })
		return crew
	}
	return nil
}

// isCrew tells more than two threads of one pattern of names.
func isCrew(threads []ThreadRef) bool {
	return len(threads) > 2 && !slices.ContainsFunc(threads, func(r ThreadRef) bool {
		return namePattern(r.Name) != namePattern(threads[0].Name)
	})
}

// by completes "THREADS likely …" for so many.
func (d deed) by(n int) string {
	if n == 1 {
		return d.most
	}
	return strings.Replace(d.most, "s ", " ", 1)
}

// likelyDoers is the likely one, or a few that were started with the same method, are busy
// alike and leave next to nothing to all others. Why completes "THREADS …".
func (f *facts) likelyDoers() (few []*history, why string) {
	const most, each, together = 3, 0.15, 0.9
	if h, why := f.likelyDoer(); h != nil {
		return []*history{h}, why
	}
	shares, sum := 0.0, f.programCPU()
	for _, h := range f.alive() {
		if share := float64(h.cpu.Value) / float64(max(1, sum)); h.thread.Role == threaddump.Application && share >= each {
			few, shares = append(few, h), shares+share
		}
	}
	other := func(h *history) bool {
		return !startedAlike(h, few[0]) || h.cpu.Value <= wakeCost*time.Duration(len(f.snaps))
	}
	if len(few) > most || shares < together || slices.ContainsFunc(few, other) {
		return nil, ""
	}
	return few, "use " + percent(shares) + " of the CPU of the program's threads"
}

// startedAlike reports that threads have the same outermost method of the application.
func startedAlike(a, b *history) bool {
	mine, other := a.working().Stack.start(), b.working().Stack.start()
	return mine != nil && other != nil && mine.Name() == other.Name()
}

// programCPU is what the program's threads have used over the look.
func (f *facts) programCPU() (sum time.Duration) {
	for _, h := range f.threads {
		if h.thread.Role == threaddump.Application && h.cpu.Known {
			sum += h.cpu.Value
		}
	}
	return sum
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
	sum := f.programCPU()
	for _, h := range f.threads {
		if h.thread.Role != threaddump.Application || !h.cpu.Known {
			continue
		}
		if best == nil || h.cpu.Value > best.cpu.Value {
			best = h
		}
	}
	if best == nil || 2*best.cpu.Value <= sum || best.cpu.Value <= wakeCost*time.Duration(len(f.snaps)) {
		return nil, 0
	}
	return best, float64(best.cpu.Value) / float64(sum)
}
