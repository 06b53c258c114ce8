package analysis

import (
	"fmt"
	"slices"
	"strings"
)

// makersOf are the places at which by the class files things of a kind are made again and again, as by
// [Bytecode.Makes]; none if not all classes were read, or if there are too many to tell anything.
func (f *facts) makersOf(kind string) []string {
	const few = 3
	b := f.bytecode
	if b == nil || b.Others {
		return nil
	}
	var places []string
	for _, made := range b.Makes {
		if of, place, ok := strings.Cut(made, "/"); ok && of == kind {
			places = append(places, place)
		}
	}
	slices.Sort(places)
	if places = slices.Compact(places); len(places) > few {
		return nil
	}
	return places
}

// tellMakers adds to a finding which code makes what becomes more, named by what, if that is known.
func (f *facts) tellMakers(finding *Finding, kind, what string) (known bool) {
	places := f.makersOf(kind)
	if len(places) == 0 {
		return false
	}
	if len(places) == 1 {
		method, _, _ := strings.Cut(places[0], ":")
		finding.Title += "; made in " + shortName(method)
	}
	for i, place := range places {
		method, line, _ := strings.Cut(place, ":")
		places[i] = fmt.Sprintf("%s (line %s)", method, line)
	}
	finding.Evidence = append([]Evidence{figure(fmt.Sprintf("%s makes %s again and again, by its class file", strings.Join(places, " or "), what))}, finding.Evidence...)
	return true
}

// makerKind is the kind of what makes a thread, and what that is called.
func (s *Stack) makerKind() (kind, what string) {
	switch {
	case s.isInside("java.util.TimerThread", "run"):
		return "timer", "a timer"
	case s.isInside("jdk.internal.net.http.", ""):
		return "client", "a client of HTTP"
	case s.isInside(juc+"ThreadPoolExecutor", "runWorker"), s.isInside(juc+"ForkJoinWorkerThread", "run"):
		return "executor", "an executor"
	}
	return "thread", "a thread"
}
