package hotspot

import (
	"context"
	"slices"
	"time"
)

// Dump reads all threads. tasks may be nil, as for a core file. Threads that moved while they were
// read are marked; an error means that there is no dump.
//
// Threads are read one after the other. Two that never waited for each other at one moment can look as if they
// did, so a cycle is told only if none of its threads ran between the first and the last of these readings.
func (j *JVM) Dump(ctx context.Context, now time.Time, tasks Tasks) (*Dump, error) {
	d, err := j.read(ctx, now, tasks)
	for i := 0; err == nil && tasks != nil && len(d.cycles()) > 0; i++ {
		if i == attempts {
			for _, t := range d.cycles() {
				t.tear()
			}
			break
		}
		var stood bool
		if d, stood, err = j.readBetween(ctx, now, tasks); stood {
			break
		}
	}
	if err != nil {
		return nil, err
	}
	return d, nil
}

// readBetween reads all threads between two questions to the kernel, and tells whether those in cycles did not
// run meanwhile.
func (j *JVM) readBetween(ctx context.Context, now time.Time, tasks Tasks) (d *Dump, stood bool, err error) {
	before, err := tasks()
	if err != nil {
		return nil, false, err
	}
	if d, err = j.read(ctx, now, tasks); err != nil {
		return nil, false, err
	}
	after, err := tasks()
	if err != nil {
		return nil, false, err
	}
	ran := slices.ContainsFunc(d.cycles(), func(t *Thread) bool {
		a, b := before[t.NativeID], after[t.NativeID]
		return a.CPU != b.CPU || a.Turns != b.Turns
	})
	return d, !ran, nil
}

// cycles are the threads that wait for each other, and those that wait for one of these: all whose way from
// waiter to owner does not end.
func (d *Dump) cycles() []*Thread {
	holders := map[uint64][]*Thread{} // by the object
	byID := map[int64]*Thread{}
	for _, t := range d.Threads {
		byID[t.ID] = t
		for _, f := range slices.Concat(t.Frames, t.Mounted) {
			for _, l := range f.Locks {
				if l.Action == actionLocked && !t.waitsIn(l.Object) {
					holders[l.Object.Address] = append(holders[l.Object.Address], t)
				}
			}
		}
	}
	left := map[*Thread][]*Thread{} // what each waits for
	for _, t := range d.Threads {
		if w := t.Waits; w != nil && w.Kind != InWait {
			left[t] = append(holders[w.Object.Address], byID[w.OwnerID])
		}
	}
	goesOn := func(t *Thread) bool { return t != nil && left[t] != nil }
	for ended := true; ended; {
		ended = false
		for t, owners := range left {
			if !slices.ContainsFunc(owners, func(o *Thread) bool { return o != t && goesOn(o) }) {
				delete(left, t)
				ended = true
			}
		}
	}
	return slices.DeleteFunc(slices.Clone(d.Threads), func(t *Thread) bool { return left[t] == nil })
}

// waitsIn tells that a thread has let go of a monitor that its frames have entered: it is in Object.wait().
func (t *Thread) waitsIn(o Object) bool {
	return t.Waits != nil && t.Waits.Kind == InWait && t.Waits.Object.Address == o.Address
}
