package cpustarved

import (
	"fmt"

	"jstall/analysis/facts/cpu"
	"jstall/analysis/finding"
)

func title(s *cpu.Starvation) string {
	who := finding.Counted(len(s.Threads), "thread") + " want a CPU and wait for one"
	if len(s.Threads) == 1 {
		who = s.Threads[0].Thread.Called() + " wants a CPU and waits for one"
	}
	who += " " + finding.Percent(s.Threads[0].Starved()) + " of the time"
	switch s.Cause {
	case cpu.CauseQuota:
		return fmt.Sprintf("%s: the control group may use %s and has used it up", who,
			finding.CoresUsed(s.Machine.Quota.Value))
	case cpu.CauseStolen:
		return fmt.Sprintf("%s: the hypervisor gave %s to other machines", who, finding.CoresUsed(s.Stolen))
	case cpu.CauseOthers:
		if s.Neighbour != "" {
			return fmt.Sprintf("%s: other processes use %s, most of all %s", who, finding.CoresUsed(s.Others),
				s.Neighbour)
		}
		return fmt.Sprintf("%s: other processes use %s", who, finding.CoresUsed(s.Others))
	case cpu.CauseOwn:
		if s.Wanted <= s.Machine.Cores() {
			return fmt.Sprintf("%s: they share %s", who, s.Machine.Allowance())
		}
		return fmt.Sprintf("%s: this JVM's threads want %s and share %s", who, finding.CoresUsed(s.Wanted),
			s.Machine.Allowance())
	}
	return who
}

func advice(s *cpu.Starvation) string {
	switch s.Cause {
	case cpu.CauseQuota:
		return "Raise the CPU limit of the container, or run fewer threads at once."
	case cpu.CauseOthers, cpu.CauseStolen:
		return "The cores belong to somebody else: move the neighbour, or this JVM, or give it more cores."
	}
	if s.Cause == cpu.CauseOwn && s.Machine.Confined() {
		return "There is more work than the affinity mask has CPUs: allow more of them (taskset, cpuset), or run fewer threads at once."
	}
	return "There is more work than cores: give it more cores, or run fewer threads at once."
}

func evidence(s *cpu.Starvation) []finding.Evidence {
	if s.Machine == nil {
		return nil
	}
	text := fmt.Sprintf("this JVM used %s, other processes %s", finding.CoresUsed(s.Own), finding.CoresUsed(s.Others))
	if a := s.Machine.Allowed; a.Known {
		text += fmt.Sprintf(", of the %s that it may use", finding.Counted(a.Value, "CPU"))
	}
	all := []finding.Evidence{finding.Figure(text)}
	if s.Held > 0 {
		all = append(all, finding.Figure(finding.Percent(s.Held)+" of the quota's periods ended early"))
	}
	return all
}
