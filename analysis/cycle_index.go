package analysis

// cycleIndex finds the cycle of another dump that is the same, of any number of them.
type cycleIndex struct {
	byKey map[key][]*cycle
	// byName has all members, unseen those that only the JVM's report names.
	byName, unseen map[string][]*cycle
}

func (in *cycleIndex) add(c *cycle) {
	if in.byKey == nil {
		in.byKey, in.byName, in.unseen = map[key][]*cycle{}, map[string][]*cycle{}, map[string][]*cycle{}
	}
	for _, m := range c.members {
		in.byName[m.name] = append(in.byName[m.name], c)
		if m.sample == nil {
			in.unseen[m.name] = append(in.unseen[m.name], c)
			continue
		}
		k := m.sample.Thread.key()
		in.byKey[k] = append(in.byKey[k], c)
	}
}

// same is the first cycle that is the same as c, nil if none is.
func (in *cycleIndex) same(c *cycle) *cycle {
	if len(c.members) == 0 {
		return nil
	}
	m := c.members[0]
	candidates := [][]*cycle{in.byName[m.name]}
	if m.sample != nil {
		candidates = [][]*cycle{in.byKey[m.sample.Thread.key()], in.unseen[m.name]}
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
