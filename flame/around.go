package flame

import (
	"cmp"

	"github.com/google/pprof/profile"

	"github.com/jstall/jstall/internal/order"
)

// Call is a method directly above or below another one, with the weight of the stacks where it is so.
type Call struct {
	Function *profile.Function
	Weight   int64
}

// Surroundings are a method with those that call it directly and those that it calls, the heaviest first.
type Surroundings struct {
	Function *profile.Function
	// Total and Self are the method's weight with what it calls and without.
	Total, Self int64
	// Callers and Callees are those of the outermost call on each stack. What is missing of Total among the callers
	// belongs to stacks that begin with the method, and among the callees to itself.
	Callers, Callees []Call
}

// Around is what surrounds each method of a profile that is wanted, the heaviest method first, by the sample type of
// an index. The base of a difference does not count.
func Around(p *profile.Profile, index int, want func(name string) bool) []Surroundings {
	found := map[string]*surroundings{}
	isWanted := map[string]bool{}
	for _, s := range p.Sample {
		if isBase(s) || s.Value[index] == 0 {
			continue
		}
		stack := functions(s)
		seen := map[string]bool{}
		for i, f := range stack {
			wanted, known := isWanted[f.Name]
			if !known {
				wanted = want(f.Name)
				isWanted[f.Name] = wanted
			}
			if !wanted {
				continue
			}
			a := found[f.Name]
			if a == nil {
				a = &surroundings{Surroundings{Function: f}, map[string]*Call{}, map[string]*Call{}}
				found[f.Name] = a
			}
			a.add(stack, i, s.Value[index], !seen[f.Name])
			seen[f.Name] = true
		}
	}
	var all []Surroundings
	for _, a := range found {
		a.Callers, a.Callees = heaviestCalls(a.above), heaviestCalls(a.below)
		all = append(all, a.Surroundings)
	}
	order.Sort(all, func(a, b Surroundings) int {
		return cmp.Or(cmp.Compare(b.Total, a.Total), cmp.Compare(a.Function.Name, b.Function.Name))
	})
	return all
}

// surroundings gathers those of a method, by name.
type surroundings struct {
	Surroundings
	above, below map[string]*Call
}

// add counts a stack that has the method at i, for the first time from the outside if isOutermost.
func (a *surroundings) add(stack []*profile.Function, i int, weight int64, isOutermost bool) {
	if i == len(stack)-1 {
		a.Self += weight
	}
	if !isOutermost {
		return
	}
	a.Total += weight
	if i > 0 {
		count(a.above, stack[i-1], weight)
	}
	if i < len(stack)-1 {
		count(a.below, stack[i+1], weight)
	}
}

func count(calls map[string]*Call, f *profile.Function, weight int64) {
	if calls[f.Name] == nil {
		calls[f.Name] = &Call{Function: f}
	}
	calls[f.Name].Weight += weight
}

func heaviestCalls(calls map[string]*Call) []Call {
	var all []Call
	for _, c := range calls {
		all = append(all, *c)
	}
	order.Sort(all, func(a, b Call) int {
		return cmp.Or(cmp.Compare(b.Weight, a.Weight), cmp.Compare(a.Function.Name, b.Function.Name))
	})
	return all
}
