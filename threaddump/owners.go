package threaddump

// linkOwners turns the names of those who own what threads wait for, by the number of the thread that waits, into ids,
// where one thread alone has the name.
func linkOwners(d *Dump, owners map[int]string) {
	if len(owners) == 0 {
		return
	}
	ids, count := map[string]int64{}, map[string]int{}
	for _, t := range d.Threads {
		ids[t.Name] = t.ID
		count[t.Name]++
	}
	for i, owner := range owners {
		for j := range d.Threads[i].Locks {
			l := &d.Threads[i].Locks[j]
			if l.Op == Locked || l.Op == OwnsSynchronizer {
				continue
			}
			if l.OwnerName = owner; count[owner] == 1 {
				l.Owner = ids[owner]
			}
		}
	}
}
