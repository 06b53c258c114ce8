package render

import (
	"slices"
	"strings"

	"github.com/jstall/jstall/analysis"
	"github.com/jstall/jstall/analysis/finding"
)

// cycleDepth is the number of frames shown of each thread in a deadlock.
const cycleDepth = 20

// layDeadlock is the view of deadlocks alone: each in full, or one line that there is no deadlock.
func layDeadlock(p *page) {
	var cycles, others []*finding.Finding
	for i := range p.report.Findings {
		f := &p.report.Findings[i]
		switch f.Kind {
		case finding.KindDeadlock, finding.KindPoolDeadlock:
			cycles = append(cycles, f)
		case finding.KindJVMUnresponsive, finding.KindLimitNear: // they say why the JVM was not asked
			others = append(others, f)
		}
	}
	if len(cycles) == 0 {
		layNoDeadlock(p)
		return
	}
	p.header()
	for i, f := range cycles {
		showCycle(p, i+1, f)
	}
	for i, f := range others {
		showTitle(p, len(cycles)+i+1, f)
		showAdvice(p, f)
	}
	p.notes()
	p.footer()
}

// layNoDeadlock is the line that there is no deadlock. Without a dump it says that this is unknown.
func layNoDeadlock(p *page) {
	r := p.report
	if r.Capture.Dumps == 0 {
		p.header()
		p.line("", plain("Deadlock unknown: no dump could be taken."))
		p.notes()
		return
	}
	if r.Verdict.State == analysis.Unknown {
		p.header()
		p.notes()
		return
	}
	seen := " in "
	if r.Error != nil {
		seen = " in the readable part of "
	}
	among := ""
	if len(r.Capture.Unseen) > 0 {
		among = " among platform threads"
	}
	dumps := counted(r.Capture.Dumps, "dump") + fromMemory(r.Capture)
	p.line("", span{"No deadlock" + among, styleCalm}, plain(seen+dumps+" of "+p.target()))
	switch r.Verdict.State {
	case analysis.Stalled, analysis.Degraded, analysis.Unresponsive:
		p.line("", stateSpan(r.Verdict.State), plain(": "), prose(r.Verdict.Summary))
	}
	p.notes()
}

// fromMemory says of dumps that they were read from memory.
func fromMemory(c analysis.Capture) string {
	if c.Source == "memory" {
		return " from memory"
	}
	return ""
}

func showCycle(p *page, number int, f *finding.Finding) {
	showTitle(p, number, f)
	held, places := holders(p, f), placesByText(p, f.Evidence)
	for _, g := range culpritGroups(p, f) {
		p.item("Thread", slices.Concat(g.culprit(), g.waitsFor())...)
		if g.thread == nil {
			continue
		}
		for _, lock := range g.thread.Locks {
			p.item("", lockSpans(lock, held, places[lock])...)
			delete(places, lock)
		}
		p.itemCode(wholeStack(p, g.thread, depthOr(p.options.StackDepth, cycleDepth)))
	}
	victims := victimGroups(p, f.Victims)
	showVictims(p, f, victims, len(victims))
	showExplained(p, f)
	rest := slices.DeleteFunc(slices.Clone(f.Evidence), func(e finding.Evidence) bool {
		_, left := places[e.Text]
		return !left
	})
	showEvidence(p, rest, len(rest))
	showAdvice(p, f)
}

// placesByText maps the text of each piece of evidence to its place in the dump.
func placesByText(p *page, evidence []finding.Evidence) map[string]string {
	places := map[string]string{}
	for _, e := range evidence {
		places[e.Text] = placeOf(p, e)
	}
	return places
}

// holders maps the address of each object that a culprit holds to its name.
func holders(p *page, f *finding.Finding) map[string]string {
	held := map[string]string{}
	for _, ref := range f.Culprits {
		t := p.index.find(ref)
		if t == nil {
			continue
		}
		for _, lock := range t.Locks {
			if a := address(lock); a != "" && holds(t, a) {
				held[a] = called(ref)
			}
		}
	}
	return held
}

// holds reports whether a thread holds the object: one of its lock lines says so, and none says that it waits for it. A
// thread in Object.wait() has released the monitor, although its stack shows it as locked further down.
func holds(t *analysis.ThreadReport, object string) bool {
	has := false
	for _, lock := range t.Locks {
		if address(lock) != object {
			continue
		}
		if waits(lock) {
			return false
		}
		has = has || !strings.Contains(lock, "eliminated")
	}
	return has
}

// lockSpans is a lock line with the owner of the object and the line's place in the dump.
func lockSpans(lock string, held map[string]string, place string) []span {
	text := strings.TrimPrefix(strings.TrimSpace(lock), "- ")
	if strings.HasPrefix(text, "<") { // as listed under "Locked ownable synchronizers"
		text = "owns " + text
	}
	out := []span{quoted(text)}
	if owner := held[address(lock)]; owner != "" && waits(lock) {
		text, _, _ = strings.Cut(text, " owned by #")
		out = []span{quoted(text), plain(", held by "), strong(owner)}
	}
	return append(out, faint(place))
}

// waits reports whether a lock line is of a thread that waits for the object, not of its owner.
func waits(lock string) bool {
	lock = strings.TrimPrefix(strings.TrimSpace(lock), "- ")
	return strings.HasPrefix(lock, "waiting") || strings.HasPrefix(lock, "parking")
}

// address is the address of the object of a lock line, empty without one.
func address(lock string) string {
	_, rest, ok := strings.Cut(lock, "<0x")
	digits, _, closed := strings.Cut(rest, ">")
	if !ok || !closed {
		return ""
	}
	return digits
}
