package limits

import (
	"jstall/analysis/finding"
	"jstall/analysis/timeline"
)

// limitShare is the part of a limit in use from which it counts as near: the next
// burst reaches it, and what fails then (a socket, a thread, the process itself)
// fails without a word in a dump.
const limitShare = 0.95

// limitReached is the part from which what asks for more has likely failed already.
const limitReached = 0.98

// limitLeast is the least limit worth a word: of a limit of 20, one is 95 %.
const limitLeast = 64

// limit is something that the kernel bounds.
type limit struct {
	what, unit string
	usage      timeline.Usage
	advice     string
	// fails is what the program is told when it is used up, empty if nothing.
	fails string
	// refusal is the code of an attempt that was not made for this limit.
	refusal string
}

// The codes of attempts that were not made for want of room, those of attach.
const (
	NoThreadRoom = "no-thread-room"
	NoFileRoom   = "no-file-room"
	NoMemoryRoom = "no-memory-room"
	NoSpace      = "no-space"
)

// Near are the findings on the limits of a process, none where m is nil. The limit
// for which an attempt was refused is left out: it has a finding already.
func Near(m *timeline.Machine, refusal string) []finding.Candidate {
	if m == nil {
		return nil
	}
	var found []finding.Candidate
	for _, l := range []limit{
		{openFiles, "", m.OpenFiles, filesAdvice, noFiles, NoFileRoom},
		{groupThreads, "", m.GroupTasks, threadsAdvice, noThreads, NoThreadRoom},
		{machineThreads, "", m.MachineTasks, machineAdvice, noThreads, NoThreadRoom},
		{groupMemory, "MB", m.GroupMemory, memoryAdvice, "", NoMemoryRoom},
	} {
		if l.near() && l.refusal != refusal {
			found = append(found, finding.Candidate{Finding: l.finding(m)})
		}
	}
	return found
}

func (l limit) near() bool {
	used, most := l.usage.Used, l.usage.Limit
	return used.Known && most.Known && most.Value >= limitLeast && float64(used.Value) >= limitShare*float64(most.Value)
}

// reached tells a limit whose want has likely made something fail: that may be what other
// threads wait for.
func (l limit) reached() bool {
	return l.fails != "" && float64(l.usage.Used.Value) >= limitReached*float64(l.usage.Limit.Value)
}

// OutOfFiles reports that a process has no descriptor left for a socket and its
// connection.
func OutOfFiles(m *timeline.Machine) bool {
	if m == nil {
		return false
	}
	used, most := m.OpenFiles.Used, m.OpenFiles.Limit
	return used.Known && most.Known && used.Value+1 >= most.Value
}

func (l limit) finding(m *timeline.Machine) finding.Finding {
	f := finding.Finding{
		Severity: finding.Warning, Confidence: finding.Proven,
		Title: l.title(), Advice: l.advice, Evidence: []finding.Evidence{finding.Figure(l.amount() + " " + l.what)},
	}
	if l.reached() {
		f.Advice += l.failsAdvice()
	}
	if l.unit == "MB" && m.MemoryDenied.Known && m.MemoryDenied.Value > 0 {
		f.Evidence = append(f.Evidence,
			deniedEvidence(m.MemoryDenied.Value))
	}
	return f
}
