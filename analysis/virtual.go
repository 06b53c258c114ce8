package analysis

import (
	"jstall/analysis/facts"
	"jstall/analysis/finding"
	"jstall/analysis/stack"
	"jstall/analysis/timeline"
	"jstall/threaddump"
)

// virtualThreads sums the virtual threads of the last dump that lists them.
func virtualThreads(f *timeline.Timeline) *timeline.VirtualThreads {
	v := timeline.WithVirtualThreads(f)
	if v == nil {
		return nil
	}
	type at struct {
		stack *stack.Stack
		state threaddump.State
	}
	sum := &timeline.VirtualThreads{States: map[string]int{}, Groups: []timeline.VirtualGroup{}}
	groups, texts := map[at]*timeline.VirtualGroup{}, map[*stack.Stack][]string{}
	for i := range v.Last().Samples {
		s := &v.Last().Samples[i]
		if !s.Thread.Virtual {
			continue
		}
		sum.Count += s.Size()
		sum.States[s.State.String()] += s.Size()
		g := groups[at{s.Stack, s.State}]
		if g == nil {
			g = &timeline.VirtualGroup{
				State: s.State.String(), Name: s.Thread.Name, ID: s.Thread.ID, WaitType: s.WaitType(),
				Stack: stackText(s.Stack, texts),
			}
			if s.Stack.Application != nil {
				g.Frame = s.Stack.Application.Name()
			}
			groups[at{s.Stack, s.State}] = g
		}
		g.Count += s.Size()
	}
	sum.AddGroups(timeline.ListOf(groups))
	sum.Mounted = timeline.Mounted(f)
	return sum
}

// virtualRows are the rows of virtual threads: all of a few, else those that findings name.
func virtualRows(f *facts.Facts, found []finding.Finding) []ThreadReport {
	v := timeline.WithVirtualThreads(f.Timeline)
	if v == nil || v == f.Timeline {
		return nil
	}
	wanted := fewOr(v, involved(found))
	return threadReports(f.WrittenFacts.Locks, func(t *timeline.Thread) bool { return t.Virtual && wanted(t) })
}

// fewOr wants every thread where there are few virtual ones, else all platform
// threads and those virtual ones that are named.
func fewOr(f *timeline.Timeline, named func(*timeline.Thread) bool) func(*timeline.Thread) bool {
	n := 0
	for i := range f.Last().Samples {
		if s := &f.Last().Samples[i]; s.Thread.Virtual {
			n += s.Size()
		}
	}
	if n <= timeline.FewVirtual {
		return everyThread
	}
	return func(t *timeline.Thread) bool { return !t.Virtual || named(t) }
}
