package analysis

import (
	"fmt"
	"slices"

	"github.com/jstall/jstall/analysis/facts/cpu"
	"github.com/jstall/jstall/analysis/finding"
	"github.com/jstall/jstall/analysis/stack"
	"github.com/jstall/jstall/analysis/timeline"
	"github.com/jstall/jstall/threaddump"
)

// waitedShare is the share of a core from which on the headline mentions that threads waited for a CPU.
const waitedShare = 0.25

// verdict is the report in one word and one line. The first finding that no other one explains leads, hints included:
// they make the JVM suspicious. Without a finding it describes the load, and waits adds threads that may be stuck. A
// search for deadlocks only says nothing about other problems.
func verdict(findings []finding.Finding, f *timeline.Timeline, b *blindness, waits []unprovenWait,
	deadlocksOnly bool) Verdict {
	lead, others := leading(findings)
	calm := lead == nil || lead.Severity == finding.Info
	switch {
	case deadlocksOnly && calm:
		return noDeadlock(f, findings, b)
	case lead == nil:
		return quiet(f, b, waitClause(waits))
	}
	after := ""
	switch {
	case others > 0:
		after = " (and " + finding.Counted(others, moreWord(lead)) + ")"
	case lead.Kind == finding.KindJVMUnresponsive:
		after = waitsBehind(lead, waits)
	}
	if damaged(f) {
		after += ", in the readable part of " + dumpsSeen(f)
	}
	state := StateOf(lead)
	if calm {
		after += b.behind()
		if b.isUnknown() || lacking(f) != "" || len(halted(f)) > 0 {
			state = Unknown
		}
	}
	return Verdict{state, headline(lead, after)}
}

// leading is the most severe finding that no other one explains, nil without findings, and the number of further ones
// of its class: findings after a finding, hints after a hint.
func leading(findings []finding.Finding) (lead *finding.Finding, others int) {
	for i := range findings {
		fd := &findings[i]
		switch {
		case fd.ExplainedBy != "":
		case lead == nil:
			lead = fd
		case (fd.Severity == finding.Info) == (lead.Severity == finding.Info):
			others++
		}
	}
	return lead, others
}

func moreWord(lead *finding.Finding) string {
	if lead.Severity == finding.Info {
		return "more hint"
	}
	return "more finding"
}

// noProblem begins a verdict without findings.
const noProblem = "no problem found"

// quiet is the verdict on input without findings. Nothing can be said about a fragment.
func quiet(f *timeline.Timeline, b *blindness, waits string) Verdict {
	if fragment(f) {
		return Verdict{Unknown, "a fragment of " + finding.Counted(len(f.Last().Samples), "thread") + fragmentWords(f)}
	}
	if noLocks(f) {
		return Verdict{Unknown, "deadlocks and waits are not seen: " + noLocksText}
	}
	if lacks := lacking(f); lacks != "" {
		return Verdict{Unknown, lacks + "; no problem" + rest(f) + lackingWay(f)}
	}
	if b.isUnknown() {
		return b.unknown("no problem in " + threadsSeen(f, b))
	}
	if threads := halted(f); len(threads) > 0 {
		return Verdict{Unknown, haltedWords(f, threads) + "; " + haltedWay}
	}
	text := noProblem
	switch {
	case waits != "":
		text = waits
	case damaged(f) || b.clause() != "":
		text += " in " + threadsSeen(f, b)
	}
	text += b.behind()
	if waits != "" {
		return Verdict{Ok, text}
	}
	if load := loadOf(f); load != "" {
		text += "; " + load
	}
	return Verdict{Ok, text}
}

// noDeadlock is the verdict of a search for deadlocks that found none for certain.
func noDeadlock(f *timeline.Timeline, hints []finding.Finding, b *blindness) Verdict {
	switch {
	case noLocks(f):
		return Verdict{Unknown, "deadlock unknown: " + noLocksText}
	case lacking(f) != "":
		return Verdict{Unknown, "deadlock unknown: " + lacking(f) + lackingWay(f)}
	}
	text, hint := "no deadlock", ""
	if len(hints) > 0 {
		text, hint = "no proven deadlock", "; possible "+string(hints[0].Kind)+": "+hints[0].Title
	}
	if b.isUnknown() {
		return b.unknown(text + " in " + threadsSeen(f, b) + hint)
	}
	if b.unseenNow() != nil {
		text += " among platform threads"
	}
	if damaged(f) {
		text += " in the readable part of " + dumpsSeen(f)
	} else {
		text += " in " + finding.Counted(len(f.Snaps), "dump")
	}
	return Verdict{NoDeadlock, text + hint + "; nothing else was checked"}
}

// threadsSeen describes what a verdict rests on if that is not all threads of the JVM.
func threadsSeen(f *timeline.Timeline, b *blindness) string {
	if damaged(f) {
		return "the readable part of " + dumpsSeen(f)
	}
	if b.unseenNow() == nil {
		return "the threads that were read"
	}
	n := 0
	for i := range f.Last().Samples {
		t := f.Last().Samples[i].Thread
		n += finding.CountIf(!t.Virtual && rowKind(t) == "java")
	}
	return finding.Counted(n, "platform thread")
}

// What a reader must know about dumps without locks, and the remedy.
const (
	noLocksText   = "this file has no lock information (dump_to_file of JDK 21 to 24 writes neither locks nor states)"
	noLocksRemedy = "take a text dump: jstall dump PID > dump.txt, or jcmd PID Thread.print -l > dump.txt"
)

// noLocks reports whether all dumps are of a form without locks.
func noLocks(f *timeline.Timeline) bool {
	return !slices.ContainsFunc(f.Snaps, func(s *timeline.Snapshot) bool { return !s.NoLocks })
}

// cutWaits is the number of waiting threads of the last dump whose stack could not be read to its end.
func cutWaits(f *timeline.Timeline) int { return f.Last().CutWaits }

func cutWaitsText(f *timeline.Timeline) string {
	return "the stack of " + finding.Counted(cutWaits(f), "waiting thread") + " could not be read to its end"
}

const cutWaitsRemedy = "read the JVM again; a core file of gcore may lack stacks, one that the kernel wrote has them"

// lacking describes what the text of the last dump has lost that could hold the cause; empty if nothing is known to be
// lost. Locks count as lost only if no dump has all of them: a JVM may leave out the lock of a thread that acquires it
// at that moment.
func lacking(f *timeline.Timeline) string {
	last := f.Last()
	switch {
	case last.CutWaits > 0:
		return cutWaitsText(f)
	case !slices.ContainsFunc(f.Snaps, func(s *timeline.Snapshot) bool { return s.HiddenWaits == 0 }):
		return "the stacks or locks of " + finding.Counted(last.HiddenWaits, "waiting thread") + " are not in the dump"
	case last.CutAt > 0:
		return fmt.Sprintf("the lines of the dump are cut at %d columns", last.CutAt)
	case last.Missing > 0:
		return finding.Counted(last.Missing, "thread") + " of the JVM's list " +
			finding.Verb(last.Missing, "is", "are") + " not in the dump"
	case last.Cut:
		return "the dump is cut"
	}
	return ""
}

// rest names the readable part of the last dump, to be appended to a text.
func rest(f *timeline.Timeline) string {
	if last := f.Last(); last.Cut || last.Missing > 0 {
		return " in the readable part of " + dumpsSeen(f)
	}
	return " in the rest"
}

// lackingWay is the command that shows what the dump has lost, to be appended to a text.
func lackingWay(f *timeline.Timeline) string {
	if cutWaits(f) > 0 {
		return ""
	}
	return "; run jstall PID, or jstack PID > dump.txt"
}

const lackingRemedy = "take a whole dump into a file: jstall dump PID > dump.txt, or jstack -l PID > dump.txt"

// damaged reports whether a part of the dumps is missing.
func damaged(f *timeline.Timeline) bool {
	return slices.ContainsFunc(f.Snaps, func(s *timeline.Snapshot) bool { return s.Cut || s.Missing > 0 })
}

func dumpsSeen(f *timeline.Timeline) string {
	if len(f.Snaps) == 1 {
		return "the dump"
	}
	return "the dumps"
}

// loadOf describes how much CPU was used if that is known, else how many threads run and how many are idle.
func loadOf(f *timeline.Timeline) string {
	if used := f.CPU(); used.Known && f.Measurable() {
		wall := f.Wall().Value
		share := float64(used.Value) / float64(wall)
		text := finding.CoresUsed(share) + " used over " + finding.Seconds(wall)
		if queued := cpu.Demand(f, (*timeline.Thread).Program) - share; queued >= waitedShare {
			text += ", threads waited for CPU " + finding.Percent(queued) + " of a core"
		}
		return text
	}
	text := ""
	if n := runningThreads(f); n > 0 {
		text = finding.Counted(n, "thread") + " running"
		if untimed(f) {
			text += ", CPU use unknown (no CPU times in the dumps)"
		}
	}
	if n := idleThreads(f); n > 0 {
		if text == "" {
			return finding.Counted(n, "thread") + " idle"
		}
		text += fmt.Sprintf(", %s idle", finding.Thousands(n))
	}
	return text
}

// idleThreads counts the program's threads that wait where idle threads wait.
func idleThreads(f *timeline.Timeline) int {
	n := 0
	for _, h := range f.Alive() {
		n += finding.CountIf(h.Thread.Role == threaddump.Application && h.AtRest())
	}
	return n
}

// fragment reports whether every dump is a part that a person cut out: it has no header, and none of the threads that
// every JVM has.
func fragment(f *timeline.Timeline) bool {
	return !slices.ContainsFunc(f.Snaps, func(s *timeline.Snapshot) bool { return !s.Fragment })
}

// runningThreads counts the program's threads that run in the last dump. A carrier is not counted in addition to the
// virtual thread that it runs.
func runningThreads(f *timeline.Timeline) int {
	n := 0
	carriers := map[int64]bool{}
	for _, h := range f.Alive() {
		if h.Thread.Virtual {
			carriers[h.Last().Carrier] = true
		}
	}
	for _, h := range f.Alive() {
		s := h.Last()
		runs := s.Wait == stack.Running && len(s.Stack.Frames) > 0 && !s.TakesDump()
		if h.Thread.Role == threaddump.Application && runs && !carriers[h.Thread.ID] {
			n++
		}
	}
	return n
}
