package locks

import (
	"jstall/analysis/timeline"
)

// same reports whether two cycles of different dumps are one.
func (c *Cycle) same(other *Cycle) bool {
	if len(c.Members) != len(other.Members) {
		return false
	}
	in := &other.index
	for _, m := range c.Members {
		if !in.has(m) {
			return false
		}
	}
	return true
}

// memberIndex finds the members of a cycle, of any number of them.
type memberIndex struct {
	keys           map[timeline.Key]bool
	unseen, byName map[string]bool
}

func indexMembers(members []Member) memberIndex {
	in := memberIndex{map[timeline.Key]bool{}, map[string]bool{}, map[string]bool{}}
	for _, m := range members {
		in.byName[m.Name] = true
		if m.Sample == nil {
			in.unseen[m.Name] = true
		} else {
			in.keys[m.Sample.Thread.Key()] = true
		}
	}
	return in
}

func (in *memberIndex) has(m Member) bool {
	if m.Sample == nil {
		return in.byName[m.Name]
	}
	return in.keys[m.Sample.Thread.Key()] || in.unseen[m.Name]
}

func (c *Cycle) Has(m Member) bool { return c.index.has(m) }

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
