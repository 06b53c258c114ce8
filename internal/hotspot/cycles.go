package hotspot

import (
	"context"
	"fmt"
	"slices"
	"time"
)

// Dump reads all threads. tasks may be nil, as for a core file. Threads that moved while they were
// read are marked; an error means that there is no dump.
//
// Threads are read one after the other. Two that never waited for each other at one moment can look as if they
// did, so a cycle is reported only if none of its platform threads ran between the first and the last of these
// readings, and if two readings show the same of its virtual threads.
func (j *JVM) Dump(ctx context.Context, now time.Time, tasks Tasks) (*Dump, error) {
	return steadyCycles(tasks,
		tasks == nil && j.isStopped == nil, func() (*Dump, error) { return j.read(ctx, now, tasks) })
}

// steadyCycles reads until the cycles of a dump stand still. still reports that nothing can move.
func steadyCycles(tasks Tasks, still bool, read func() (*Dump, error)) (*Dump, error) {
	d, err := read()
	for i := 0; err == nil && !still && len(d.cycles()) > 0; i++ {
		if i == attempts {
			for _, m := range d.cycles() {
				m.tear()
			}
			break
		}
		before := d
		var stood bool
		if d, stood, err = readBetween(tasks, read); err == nil && stood && sameVirtual(before.cycles(), d.cycles()) {
			break
		}
	}
	if err != nil {
		return nil, err
	}
	return d, nil
}

// readBetween reads all threads between two questions to the kernel, and reports whether the platform threads in cycles
// did not run meanwhile.
func readBetween(tasks Tasks, read func() (*Dump, error)) (d *Dump, stood bool, err error) {
	if tasks == nil {
		d, err = read()
		return d, true, err
	}
	before, err := tasks()
	if err != nil {
		return nil, false, err
	}
	if d, err = read(); err != nil {
		return nil, false, err
	}
	after, err := tasks()
	if err != nil {
		return nil, false, err
	}
	ran := slices.ContainsFunc(d.cycles(), func(m cycleMember) bool {
		if m.platform == nil {
			return false
		}
		a, b := before[m.platform.NativeID], after[m.platform.NativeID]
		return a.CPU != b.CPU || a.Turns != b.Turns
	})
	return d, !ran, nil
}

// sameVirtual reports that the virtual threads of some cycles were in those of another reading, with the same state,
// stack and owner of what they wait for.
func sameVirtual(before, now []cycleMember) bool {
	seen := map[string]bool{}
	for _, m := range before {
		seen[m.signature()] = true
	}
	return !slices.ContainsFunc(now, func(m cycleMember) bool { return m.virtual != nil && !seen[m.signature()] })
}

// cycleMember is a thread of a cycle: a platform or a virtual one.
type cycleMember struct {
	platform *Thread
	virtual  *VirtualThread
}

// waits is what the thread waits for, nil if that is not known.
func (m cycleMember) waits() *Wait {
	if m.virtual != nil {
		return m.virtual.Waits
	}
	return m.platform.Waits
}

// signature is what must be the same of a virtual thread in two readings. Addresses may differ: objects move.
func (m cycleMember) signature() string {
	t := m.virtual
	if t == nil {
		return ""
	}
	text := fmt.Sprintln(t.ID, t.State, t.Waits.Kind, t.Waits.OwnerID, t.Waits.Object.Class)
	for _, f := range t.Frames {
		text += f.Text + "\n"
	}
	return text
}

// tear takes from a thread what may be wrong.
func (m cycleMember) tear() {
	if t := m.virtual; t != nil {
		t.Waits, t.Frames, t.Unread = nil, nil, movedEachTime
		return
	}
	m.platform.tear()
}

// cycles are the threads that wait for each other, and those that wait for one of these: all whose way from
// waiter to owner does not end.
func (d *Dump) cycles() []cycleMember {
	members, byID := d.members()
	holders := d.monitorHolders()
	left := map[cycleMember][]cycleMember{} // what each waits for
	for _, m := range members {
		w := m.waits()
		if w == nil || w.Kind == InWait {
			continue
		}
		var owners []cycleMember
		for _, t := range holders[w.Object.Address] {
			owners = append(owners, cycleMember{platform: t})
		}
		if owner, ok := byID[w.OwnerID]; ok && w.OwnerID != 0 {
			owners = append(owners, owner)
		}
		left[m] = owners
	}
	for ended := true; ended; {
		ended = false
		for m, owners := range left {
			goesOn := func(o cycleMember) bool { return o != m && left[o] != nil }
			if !slices.ContainsFunc(owners, goesOn) {
				delete(left, m)
				ended = true
			}
		}
	}
	return slices.DeleteFunc(members, func(m cycleMember) bool { return left[m] == nil })
}

// members are the threads that may be in a cycle, and all of them by their ids.
func (d *Dump) members() ([]cycleMember, map[int64]cycleMember) {
	var members []cycleMember
	byID := map[int64]cycleMember{}
	for _, t := range d.Threads {
		m := cycleMember{platform: t}
		byID[t.ID] = m
		members = append(members, m)
	}
	for i := range d.Virtual.threads() {
		t := &d.Virtual.Threads[i]
		if t.Waits == nil || t.Waits.OwnerID == 0 {
			continue // what it waits for has no owner: no cycle leads through it
		}
		m := cycleMember{virtual: t}
		byID[t.ID] = m
		members = append(members, m)
	}
	return members, byID
}

// monitorHolders are the platform threads whose frames have entered monitors, by the address of the object.
func (d *Dump) monitorHolders() map[uint64][]*Thread {
	holders := map[uint64][]*Thread{}
	for _, t := range d.Threads {
		for _, f := range slices.Concat(t.Frames, t.Mounted) {
			for _, l := range f.Locks {
				if l.Action == actionLocked && !t.waitsIn(l.Object) {
					holders[l.Object.Address] = append(holders[l.Object.Address], t)
				}
			}
		}
	}
	return holders
}

// waitsIn reports that a thread has given up a monitor that its frames have entered: it is in Object.wait().
func (t *Thread) waitsIn(o Object) bool {
	return t.Waits != nil && t.Waits.Kind == InWait && t.Waits.Object.Address == o.Address
}
