package cpustarved

import (
	"fmt"

	"github.com/jstall/jstall/analysis/facts/cpu"
	"github.com/jstall/jstall/analysis/finding"
	"github.com/jstall/jstall/analysis/timeline"
)

// title names the thread that waits for a CPU or the number of threads, the longest wait, and what uses the CPUs.
func title(s *cpu.Starvation) string {
	who := finding.Counted(len(s.Threads), "thread") + " wait"
	if len(s.Threads) == 1 {
		who = s.Threads[0].Thread.Called() + " waits"
	}
	who += " for a CPU "
	if len(s.Threads) > 1 {
		who += "up to "
	}
	who += finding.Percent(s.Threads[0].Starved()) + " of the time"
	switch s.Cause {
	case cpu.CauseQuota:
		return who + ": the control group has used up its quota of " + finding.CoresUsed(s.Machine.Quota.Value)
	case cpu.CauseStolen:
		return who + ": the hypervisor gives " + finding.CoresUsed(s.Stolen) + " to other machines"
	case cpu.CauseOthers:
		who += ": other processes use " + finding.CoresUsed(s.Others)
		if s.Neighbour != "" {
			who += ", most of it " + s.Neighbour
		}
	case cpu.CauseHidden:
		who += ", though this JVM used only " + finding.CoresUsed(s.Own)
	case cpu.CauseOwn:
		if s.Wanted <= s.Machine.Cores() {
			return who + ": they share " + s.Machine.Allowance()
		}
		return fmt.Sprintf("%s: this JVM's threads need %s and share %s",
			who, finding.CoresUsed(s.Wanted), s.Machine.Allowance())
	}
	return who
}

func advice(s *cpu.Starvation) string {
	switch s.Cause {
	case cpu.CauseQuota:
		return "Raise the CPU limit of the container, or run fewer threads at once."
	case cpu.CauseStolen:
		return "Move this virtual machine to another host, or add cores."
	case cpu.CauseOthers, cpu.CauseHidden:
		return "Move the other processes or this JVM to another machine, or add cores."
	}
	if s.Cause == cpu.CauseOwn && s.Machine.Confined() {
		return "The affinity mask allows too few CPUs. Add some (taskset, cpuset), or run fewer threads at once."
	}
	return "Add cores, or run fewer threads at once."
}

// ranAndWaited is the evidence on one thread.
func ranAndWaited(h *timeline.History) finding.Evidence {
	return finding.Figure(fmt.Sprintf("%s ran %s of the time and waited for a CPU %s of it",
		h.Thread.Called(), finding.Percent(h.Share().Value), finding.Percent(h.Starved())))
}

// evidence describes what used the CPUs, and in which share of its periods the quota was used up.
func evidence(s *cpu.Starvation) []finding.Evidence {
	if s.Machine == nil {
		return nil
	}
	others := finding.CoresUsed(s.Others)
	if s.Cause == cpu.CauseHidden {
		others = "an unknown share"
	}
	text := fmt.Sprintf("this JVM used %s, other processes %s", finding.CoresUsed(s.Own), others)
	if a := s.Machine.Allowed; a.Known {
		text += fmt.Sprintf("; this JVM may use %s", finding.Counted(a.Value, "CPU"))
	}
	all := []finding.Evidence{finding.Figure(text)}
	if s.Held > 0 {
		all = append(all, finding.Figure(finding.Percent(s.Held)+" of the quota periods were throttled"))
	}
	return all
}
