package analysis

import (
	"fmt"
	"slices"

	"jstall/threaddump"
)

// waitedShare is the share of a core from which it is worth a word that threads had to
// wait for a CPU.
const waitedShare = 0.25

// verdict is the report in one word and one line. The first finding that no other one
// explains leads, hints included: they make the JVM suspicious. Without a finding the load
// is told. A search for deadlocks alone says nothing of the rest.
func verdict(findings []Finding, f *timeline, deadlocksOnly bool) Verdict {
	lead, others := leading(findings)
	switch {
	case deadlocksOnly && f.noLocks() && (lead == nil || lead.Severity == Info):
		return Verdict{Unknown, "deadlock unknown: " + noLocksText}
	case deadlocksOnly && (lead == nil || lead.Severity == Info):
		return noDeadlock(f, findings)
	case lead == nil:
		return quiet(f)
	}
	summary := lead.Title
	if len(lead.Culprits) > 0 {
		if where := lead.Culprits[0].where(); where != "" {
			summary += ", " + where
		}
	}
	if others > 0 {
		summary += " (and " + Counted(others, moreWord(lead)) + ")"
	}
	if f.damaged() {
		summary += ", in the readable part of " + f.dumpsSeen()
	}
	return Verdict{stateOf(lead), summary}
}

// leading is the gravest finding that no other one explains, nil if there is none, and how
// many more of its class there are: findings behind a finding, hints behind a hint.
func leading(findings []Finding) (lead *Finding, others int) {
	for i := range findings {
		fd := &findings[i]
		switch {
		case fd.ExplainedBy != "":
		case lead == nil:
			lead = fd
		case (fd.Severity == Info) == (lead.Severity == Info):
			others++
		}
	}
	return lead, others
}

func moreWord(lead *Finding) string {
	if lead.Severity == Info {
		return "more hint"
	}
	return "more finding"
}

func stateOf(f *Finding) VerdictState {
	switch {
	case f.Severity == Info:
		return Suspicious
	case f.Kind == KindJVMUnresponsive:
		return Unresponsive
	case f.Kind == KindDeadlock || f.Kind == KindPoolDeadlock:
		return Deadlocked
	case f.Severity == Critical:
		return Stalled
	}
	return Degraded
}

// quiet is the verdict on input without findings. Of a fragment nothing can be said.
func quiet(f *timeline) Verdict {
	if f.fragment() {
		return Verdict{Unknown, "a fragment of " + Counted(len(f.last().samples), "thread") + ", not a whole dump; no problem found in it"}
	}
	if f.noLocks() {
		return Verdict{Unknown, "no problem found, but " + noLocksText}
	}
	text := "no problem found"
	if f.damaged() {
		text += " in the readable part of " + f.dumpsSeen()
	}
	if load := loadOf(f); load != "" {
		text += "; " + load
	}
	return Verdict{Ok, text}
}

// noDeadlock is the verdict of a search for deadlocks that found none for sure.
func noDeadlock(f *timeline, hints []Finding) Verdict {
	text := "no deadlock"
	if len(hints) > 0 {
		text = "no proven deadlock"
	}
	if f.virtualUnseen() {
		text += " among platform threads"
	}
	if f.damaged() {
		text += " in the readable part of " + f.dumpsSeen()
	} else {
		text += " in " + Counted(len(f.snaps), "dump")
	}
	if len(hints) > 0 {
		text += "; possible " + string(hints[0].Kind) + ": " + hints[0].Title
	}
	return Verdict{NoDeadlock, text + "; nothing else was checked"}
}

// What a reader must know of dumps without locks, and what to do.
const (
	noLocksText   = "this file has no lock information (dump_to_file of JDK 21 to 24 writes neither locks nor states)"
	noLocksRemedy = "take a text dump: jstall dump PID > dump.txt, or jcmd PID Thread.print -l > dump.txt"
)

// noLocks reports that no dump is of a form which has locks.
func (f *timeline) noLocks() bool {
	return !slices.ContainsFunc(f.snaps, func(s *snapshot) bool { return !s.noLocks })
}

// damaged reports that something is missing of the dumps.
func (f *timeline) damaged() bool {
	return slices.ContainsFunc(f.snaps, func(s *snapshot) bool { return s.cut || s.missing > 0 })
}

func (f *timeline) dumpsSeen() string {
	if len(f.snaps) == 1 {
		return "the dump"
	}
	return "the dumps"
}

// loadOf says how much CPU was used where that is known, else how many threads run and idle.
func loadOf(f *timeline) string {
	if cpu := f.cpu(); cpu.Known && f.measurable() {
		wall := f.wall().Value
		share := float64(cpu.Value) / float64(wall)
		text := coresUsed(share) + " used over " + seconds(wall)
		if queued := f.programDemand() - share; queued >= waitedShare {
			text += ", threads waited for CPU " + percent(queued) + " of a core"
		}
		return text
	}
	text := ""
	if n := runningThreads(f); n > 0 {
		text = Counted(n, "thread") + " running"
	}
	if n := idleThreads(f); n > 0 {
		if text == "" {
			return Counted(n, "thread") + " idle"
		}
		text += fmt.Sprintf(", %s idle", Thousands(n))
	}
	return text
}

// idleThreads counts the program's threads that stand where threads without work stand.
func idleThreads(f *timeline) int {
	n := 0
	for _, h := range f.alive() {
		n += one(h.thread.Role == threaddump.Application && h.idle())
	}
	return n
}

// fragment reports that every dump is a part that somebody cut out: it has no header, and
// none of the threads that every JVM has.
func (f *timeline) fragment() bool {
	return !slices.ContainsFunc(f.snaps, func(s *snapshot) bool { return !s.fragment })
}

// runningThreads counts the program's threads that run in the last dump. A
// carrier is not counted beside the virtual thread that it runs.
func runningThreads(f *timeline) int {
	n := 0
	carriers := map[int64]bool{}
	for _, h := range f.alive() {
		if h.thread.Virtual {
			carriers[h.last().carrier] = true
		}
	}
	for _, h := range f.alive() {
		s := h.last()
		runs := s.wait == running && len(s.Stack.Frames) > 0 && !s.observes()
		if h.thread.Role == threaddump.Application && runs && !carriers[h.thread.ID] {
			n++
		}
	}
	return n
}
