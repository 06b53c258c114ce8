package locks

import (
	"jstall/analysis/timeline"
)

// cycleIndex finds the cycle of another dump that is the same, of any number of them.
type cycleIndex struct {
	byKey map[timeline.Key][]*Cycle
	// byName has all members, unseen those that only the JVM's report names.
	byName, unseen map[string][]*Cycle
}

func (in *cycleIndex) add(c *Cycle) {
	if in.byKey == nil {
		in.byKey, in.byName, in.unseen = map[timeline.Key][]*Cycle{}, map[string][]*Cycle{}, map[string][]*Cycle{}
	}
	for _, m := range c.Members {
		in.byName[m.Name] = append(in.byName[m.Name], c)
		if m.Sample == nil {
			in.unseen[m.Name] = append(in.unseen[m.Name], c)
			continue
		}
		k := m.Sample.Thread.Key()
		in.byKey[k] = append(in.byKey[k], c)
	}
}

// same is the first cycle that is the same as c, nil if none is.
func (in *cycleIndex) same(c *Cycle) *Cycle {
	if len(c.Members) == 0 {
		return nil
	}
	m := c.Members[0]
	candidates := [][]*Cycle{in.byName[m.Name]}
	if m.Sample != nil {
		candidates = [][]*Cycle{in.byKey[m.Sample.Thread.Key()], in.unseen[m.Name]}
	}
	for _, some := range candidates {
		for _, k := range some {
			if k.same(c) {
				return k
			}
		}
	}
	return nil
}
