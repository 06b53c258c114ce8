package render

import (
	"fmt"
	"slices"
	"strings"

	"github.com/jstall/jstall/analysis"
)

const (
	fullPercent = 100 // one core
	leastUse    = 1   // percent of a core from which on use is broken down by role
	leastOthers = 5   // percent of a core from which on other processes are mentioned
)

// cpuLine says how many cores were used, and by which threads.
func (p *page) cpuLine() string {
	use := sumCPU(p.report.Threads)
	c := p.report.Capture
	total := processCores(c)
	if !use.known && total == nil {
		return "unknown: " + p.whyNoCPU()
	}
	text := use.text(total, c.Cores)
	if used := valueOr(total, use.sum); used < leastUse && use.unknown == 0 {
		text = fmt.Sprintf("%s %% of a core used", percent(used))
	}
	return text + others(c)
}

// others says how much CPU time other processes took of the same cores, if it is enough to matter.
func others(c analysis.Capture) string {
	if c.OthersCPUSeconds == nil || c.ElapsedSeconds == nil || *c.ElapsedSeconds <= 0 {
		return ""
	}
	share := *c.OthersCPUSeconds / *c.ElapsedSeconds * fullPercent
	if share < leastOthers {
		return ""
	}
	text := "; other processes " + cores(share)
	if c.BusiestOther != "" {
		text += ", the busiest " + shorten(escape(c.BusiestOther), nameCells)
	}
	return text
}

func valueOr(v *float64, otherwise float64) float64 {
	if v == nil {
		return otherwise
	}
	return *v
}

// cpuUse is the CPU of a report's threads in percent of one core, by role.
type cpuUse struct {
	known   bool
	unknown int // threads of the operating system without a figure
	byRole  map[string]float64
	sum     float64
}

// cpuMeasured reports whether the capture shows how much CPU a thread used between two dumps.
func (p *page) cpuMeasured() bool {
	return slices.ContainsFunc(p.report.Threads, func(t analysis.ThreadReport) bool { return t.CPUPercent != nil })
}

func sumCPU(threads []analysis.ThreadReport) cpuUse {
	use := cpuUse{byRole: map[string]float64{}}
	for i := range threads {
		t := &threads[i]
		switch {
		case t.CPUPercent != nil:
			use.known = true
			use.byRole[t.Role] += *t.CPUPercent
			use.sum += *t.CPUPercent
		case t.Kind != "virtual":
			use.unknown++
		}
	}
	return use
}

// processCores is the CPU of the whole process in percent of one core, nil if
// unknown.
func processCores(c analysis.Capture) *float64 {
	if c.CPUSeconds == nil || c.ElapsedSeconds == nil || *c.ElapsedSeconds <= 0 {
		return nil
	}
	share := *c.CPUSeconds / *c.ElapsedSeconds * fullPercent
	return &share
}

// text is "2.31 of 4 cores used: application 1.90, GC 0.30, JIT 0.08, other 0.03".
func (u cpuUse) text(total, available *float64) string {
	var parts []string
	for _, role := range []struct{ key, name string }{
		{"application", "application"}, {"gc", "GC"}, {"jit", "JIT"}, {"vm", "VM"}, {"jvm", "JVM's Java threads"},
	} {
		if share, ok := u.byRole[role.key]; ok && (share >= 0.5 || role.key == "application") {
			parts = append(parts, role.name+" "+cores(share))
		}
	}
	head := cores(u.sum) + " cores used by the threads of the dumps"
	if total != nil {
		head = cores(max(*total, u.sum)) + " cores used"
		if available != nil {
			of := " cores"
			if *available == 1 {
				of = " core"
			}
			head = fmt.Sprintf("%s of %.3g%s used", cores(max(*total, u.sum)), *available, of)
		}
		if other := *total - u.sum; u.known && other >= 0.5 {
			parts = append(parts, "other "+cores(other))
		}
	}
	text := head
	if len(parts) > 0 {
		text += ": " + strings.Join(parts, ", ")
	}
	if u.known && u.unknown > 0 {
		text += fmt.Sprintf(" (unknown for %s)", counted(u.unknown, "thread"))
	}
	return text
}

func (p *page) whyNoCPU() string {
	switch {
	case p.report.Capture.Dumps == 0:
		return "no dump was taken"
	case p.report.Capture.Dumps == 1:
		return "one dump. " + p.takeTwo()
	case slices.ContainsFunc(p.report.Threads, func(t analysis.ThreadReport) bool { return t.CPUSeconds != nil }):
		return "the dumps are too close together. " + p.takeTwo()
	}
	return "the dumps have no CPU times" + analysis.WhyUntimed(p.report.Target.Version) + " and no kernel figures"
}

// takeTwo is the advice to take two dumps, for facts that one dump does not show.
func (p *page) takeTwo() string {
	switch c := p.report.Capture; c.Source {
	case "attach", "memory":
		return "Take two, 5 s apart (--count 2 --interval 5s)."
	case "core":
		return "A core file holds one moment only."
	}
	return "Pass two dumps taken 5 s apart: jstall 1.txt 2.txt"
}
