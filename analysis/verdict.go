package analysis

import (
	"slices"

	"jstall/threaddump"
)

// busyShare is the share of a core from which a JVM without a finding counts as
// busy.
const busyShare = 0.25

// verdict is the report in one word and one line: the gravest finding that
// nothing else explains, else how busy the JVM is. An info never decides. Where
// deadlocks alone are looked for, it says no more than that there is none.
func verdict(findings []Finding, f *facts, deadlocksOnly bool) Verdict {
	state, decisive, others := Idle, (*Finding)(nil), 0
	for i := range findings {
		fd := &findings[i]
		if fd.ExplainedBy != "" || fd.Severity == Info {
			continue
		}
		if decisive == nil {
			state, decisive = stateOf(fd), fd
		} else {
			others++
		}
	}
	if decisive == nil && deadlocksOnly && f.noLocks() {
		return Verdict{Unknown, "whether there is a deadlock is unknown: " + noLocksText}
	}
	if decisive == nil && deadlocksOnly {
		return noDeadlock(f, findings)
	}
	if decisive == nil {
		return quiet(f, findings)
	}
	summary := string(decisive.Kind) + ": " + decisive.Title
	if len(decisive.Culprits) > 0 {
		if where := decisive.Culprits[0].where(); where != "" {
			summary += ", " + where
		}
	}
	if others > 0 {
		summary += " (and " + Counted(others, "more finding") + ")"
	}
	if f.damaged() {
		summary += ", in what is there of " + f.dumpsSeen()
	}
	return Verdict{state, summary}
}

func stateOf(f *Finding) VerdictState {
	switch {
	case f.Kind == KindJVMUnresponsive:
		return Unresponsive
	case f.Kind == KindDeadlock || f.Kind == KindPoolDeadlock:
		return Deadlocked
	case f.Severity == Critical:
		return Stalled
	case f.Kind == KindHotThread:
		return Busy
	}
	return Degraded
}

// quiet is the verdict on a JVM without findings: by its CPU where that is known,
// else by whether any thread of the program runs.
func quiet(f *facts, hints []Finding) Verdict {
	state, activity := activityOf(f)
	text := "no thread is stuck"
	switch {
	case len(hints) > 0:
		text = butPerhaps(hints)
	case len(f.snaps) > 1 && waitingThreads(f) > 0:
		n := waitingThreads(f)
		text = Counted(n, "thread") + " " + verb(n, "waits", "wait") + ", none surely stuck"
	case len(f.snaps) == 1 && !f.damaged():
		text = "no thread is seen to be stuck in one dump"
	}
	if f.damaged() {
		text += " in what is there of " + f.dumpsSeen()
	}
	return Verdict{state, string(state) + ": " + text + "; " + activity}
}

// butPerhaps says what the first hint is, which nothing explains, in its own words.
func butPerhaps(hints []Finding) string {
	text := "no thread is stuck"
	others := -1
	for i := range hints {
		if slices.Contains(stalls[:], hints[i].Kind) {
			text = "no thread is surely stuck"
		}
		others += one(hints[i].ExplainedBy == "")
	}
	text += ", but perhaps " + string(hints[0].Kind) + ": " + hints[0].Title
	if others > 0 {
		text += " (and " + Counted(others, "more hint") + ")"
	}
	return text
}

// noDeadlock is the verdict of a look for deadlocks that found none for sure.
func noDeadlock(f *facts, hints []Finding) Verdict {
	text := "no deadlock"
	if len(hints) > 0 {
		text = "no sure deadlock"
	}
	if f.virtualUnseen() {
		text += " among platform threads"
	}
	if f.damaged() {
		text += " in what is there of " + f.dumpsSeen()
	} else {
		text += " in " + Counted(len(f.snaps), "dump")
	}
	if len(hints) > 0 {
		text += ", but perhaps " + string(hints[0].Kind) + ": " + hints[0].Title
	}
	return Verdict{NoDeadlock, text + "; nothing else was looked for"}
}

// What a reader must know of dumps without locks, and what to do.
const (
	noLocksText   = "this file has no lock information (dump_to_file of JDK 21 to 24 writes neither locks nor states)"
	noLocksRemedy = "take a text dump: jstall dump PID > dump.txt, or jcmd PID Thread.print -l > dump.txt"
)

// noLocks reports that no dump is of a form which has locks.
func (f *facts) noLocks() bool {
	return !slices.ContainsFunc(f.snaps, func(s *snapshot) bool { return !s.noLocks })
}

// damaged reports that something is missing of the dumps.
func (f *facts) damaged() bool {
	return slices.ContainsFunc(f.snaps, func(s *snapshot) bool { return s.cut || s.missing > 0 })
}

func (f *facts) dumpsSeen() string {
	if len(f.snaps) == 1 {
		return "the dump"
	}
	return "the dumps"
}

// waitingThreads counts the program's threads that stand in a wait for others without
// end over the whole look, and are not known to be idle.
func waitingThreads(f *facts) int {
	n := 0
	for _, h := range f.alive() {
		s := h.last()
		waits := s.State == threaddump.Waiting && s.Stack.Application != nil
		if h.thread.Role == threaddump.Application && h.thread.Name != "main" && waits && !h.idle() {
			s := f.standingStill(h)
			n += one(s.long() && s.dumps == len(f.snaps))
		}
	}
	return n
}

// activityOf words how busy the JVM is.
func activityOf(f *facts) (VerdictState, string) {
	if cpu := f.cpu(); cpu.Known && f.measurable() {
		wall := f.wall().Value
		share := float64(cpu.Value) / float64(wall)
		text := coresUsed(share) + " used over " + seconds(wall)
		if share >= busyShare {
			return Busy, text
		}
		if queued := f.programDemand() - share; queued >= busyShare {
			return Busy, text + ", " + coresUsed(queued) + " more wanted"
		}
		return Idle, text
	}
	if n := runningThreads(f); n > 0 {
		return Busy, Counted(n, "thread") + " running"
	}
	return Idle, "no thread of the program is running"
}

// runningThreads counts the program's threads that run in the last dump. A
// carrier is not counted beside the virtual thread that it runs.
func runningThreads(f *facts) int {
	n := 0
	carriers := map[int64]bool{}
	for _, h := range f.alive() {
		if h.thread.Virtual {
			carriers[h.last().carrier] = true
		}
	}
	for _, h := range f.alive() {
		s := h.last()
		runs := s.wait == running && len(s.Stack.Frames) > 0
		if h.thread.Role == threaddump.Application && runs && !carriers[h.thread.ID] {
			n++
		}
	}
	return n
}
