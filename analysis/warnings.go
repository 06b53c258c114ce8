package analysis

import (
	"jstall/threaddump"
)

// warnings are what a reader must know of the dumps before believing the rest.
func warnings(f *timeline) []string {
	for _, s := range f.snaps {
		if len(s.samples) == 0 {
			f.warn("%s has no threads", s.label())
		}
	}
	f.warnComings()
	f.warnBackwards()
	f.warnUnknownCPU()
	return f.warnings
}

// warnComings tells application threads that came or went during the capture; the
// JVM's own do so all the time.
func (f *timeline) warnComings() {
	var started, ended []string
	last := len(f.snaps) - 1
	for _, h := range f.threads {
		if h.thread.Role != threaddump.Application {
			continue
		}
		if h.at[0] > 0 && f.snaps[h.at[0]-1].whole() {
			started = append(started, h.thread.Name)
		}
		if at := h.lastAt(); at < last && f.snaps[at+1].whole() {
			ended = append(ended, h.thread.Name)
		}
	}
	if len(started) > 0 {
		f.warn("%s started during the capture: %s", Counted(len(started), "thread"), quoteNames(started))
	}
	if len(ended) > 0 {
		f.warn("%s ended during the capture: %s", Counted(len(ended), "thread"), quoteNames(ended))
	}
}

func (f *timeline) warnBackwards() {
	var names []string
	for _, h := range f.threads {
		if h.backwards {
			names = append(names, h.thread.Name)
		}
	}
	if len(names) > 0 {
		f.warn("the CPU time or age of %s shrank between dumps, so its figures are left out: %s",
			Counted(len(names), "thread"), quoteNames(names))
	}
}

// warnUnknownCPU says why there are no CPU figures where one would look for them.
func (f *timeline) warnUnknownCPU() {
	if len(f.snaps) < 2 {
		return
	}
	for _, h := range f.threads {
		if h.cpu.Known {
			return
		}
	}
	f.warn("the dumps do not tell the CPU time of threads (JDK 8 prints none), so busy threads cannot be told")
}
