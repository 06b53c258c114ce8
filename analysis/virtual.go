package analysis

import (
	"github.com/jstall/jstall/analysis/stack"
	"github.com/jstall/jstall/analysis/timeline"
	"github.com/jstall/jstall/threaddump"
)

// virtualThreads sums up the virtual threads of the last dump that lists them.
func virtualThreads(f *timeline.Timeline) *timeline.VirtualThreads {
	v := timeline.WithVirtualThreads(f)
	if v == nil {
		return nil
	}
	type at struct {
		stack  *stack.Stack
		state  threaddump.State
		unread bool
	}
	sum := &timeline.VirtualThreads{
		States: map[string]int{}, Groups: []timeline.VirtualGroup{}, Platform: timeline.CountPlatform(f.Last()),
	}
	groups, texts := map[at]*timeline.VirtualGroup{}, map[*stack.Stack][]string{}
	for i := range v.Last().Samples {
		s := &v.Last().Samples[i]
		if !s.Thread.Virtual {
			continue
		}
		sum.Count += s.Size()
		sum.States[s.State.String()] += s.Size()
		g := groups[at{s.Stack, s.State, s.Unread}]
		if g == nil {
			g = &timeline.VirtualGroup{
				State: s.State.String(), Name: s.Thread.Name, ID: s.Thread.ID, WaitType: s.WaitType(),
				Stack: stackText(s.Stack, texts), StackUnknown: s.Unread,
			}
			if s.Stack.Application != nil {
				g.Frame = s.Stack.Application.Name()
			}
			groups[at{s.Stack, s.State, s.Unread}] = g
		}
		g.Count += s.Size()
	}
	sum.AddGroups(timeline.ListOf(groups))
	sum.Mounted = timeline.Mounted(f)
	return sum
}
