package dump

import (
	"fmt"
	"slices"

	"github.com/jstall/jstall/internal/hotspot/object"
	"github.com/jstall/jstall/internal/hotspot/thread"
	"github.com/jstall/jstall/internal/hotspot/virtual"
	"github.com/jstall/jstall/internal/hotspot/vm"
)

// Steady reads until the cycles of a dump are the same. still reports that nothing can move.
func Steady(tasks thread.Tasks, still bool, read func() (*Dump, error)) (*Dump, error) {
	d, err := read()
	for i := 0; err == nil && !still && len(d.cycles()) > 0; i++ {
		if i == vm.Attempts {
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
func readBetween(tasks thread.Tasks, read func() (*Dump, error)) (d *Dump, stood bool, err error) {
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
	platform *thread.Thread
	virtual  *virtual.Thread
}

// id is the Java id of the thread.
func (m cycleMember) id() int64 {
	if m.virtual != nil {
		return m.virtual.ID
	}
	return m.platform.ID
}

// waits is what the thread waits for, nil if that is not known.
func (m cycleMember) waits() *thread.Wait {
	if m.virtual != nil {
		return m.virtual.Waits
	}
	return m.platform.Waits
}

// waitsForOwner is what the thread waits for that another one may own: not what it has given up in Object.wait().
func (m cycleMember) waitsForOwner() *thread.Wait {
	if w := m.waits(); w != nil && w.Kind != thread.InWait {
		return w
	}
	return nil
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
		t.Waits, t.Frames, t.Unread = nil, nil, virtual.MovedEachTime
		return
	}
	m.platform.Tear()
}

// cycles are the threads that wait for each other, and those that wait for one of these: all whose way from
// waiter to owner does not end.
func (d *Dump) cycles() []cycleMember {
	members := d.members()
	owners := d.ownersOf(members)
	left := map[cycleMember][]cycleMember{} // what those wait for that others wait for: few, where many wait
	for _, all := range owners {
		for _, m := range all {
			if w := m.waitsForOwner(); w != nil {
				left[m] = owners[keyOf(w)]
			}
		}
	}
	ends := func(m cycleMember, owners []cycleMember) bool {
		return !slices.ContainsFunc(owners, func(o cycleMember) bool { return o != m && left[o] != nil })
	}
	for ended := true; ended; {
		ended = false
		for m, owners := range left {
			if ends(m, owners) {
				delete(left, m)
				ended = true
			}
		}
	}
	return slices.DeleteFunc(members, func(m cycleMember) bool {
		w := m.waitsForOwner()
		return w == nil || ends(m, owners[keyOf(w)])
	})
}

// members are the threads that may be in a cycle.
func (d *Dump) members() []cycleMember {
	var members []cycleMember
	for _, t := range d.Threads {
		members = append(members, cycleMember{platform: t})
	}
	for i := range d.Virtual.All() {
		t := &d.Virtual.Threads[i]
		if t.Waits == nil || t.Waits.OwnerID == 0 {
			continue // what it waits for has no owner: no cycle leads through it
		}
		members = append(members, cycleMember{virtual: t})
	}
	return members
}

// waitKey identifies what a thread waits for, with its owner.
type waitKey struct {
	object uint64
	owner  int64
}

func keyOf(w *thread.Wait) waitKey { return waitKey{w.Object.Address, w.OwnerID} }

// ownersOf are the members that own what members wait for.
func (d *Dump) ownersOf(members []cycleMember) map[waitKey][]cycleMember {
	holders := d.monitorHolders()
	byID := map[int64]cycleMember{}
	for _, m := range members {
		if w := m.waitsForOwner(); w != nil && w.OwnerID != 0 {
			byID[w.OwnerID] = cycleMember{}
		}
	}
	for _, m := range members {
		if _, owns := byID[m.id()]; owns {
			byID[m.id()] = m
		}
	}
	owners := map[waitKey][]cycleMember{}
	for _, m := range members {
		w := m.waitsForOwner()
		if w == nil || owners[keyOf(w)] != nil {
			continue
		}
		var all []cycleMember
		for _, t := range holders[w.Object.Address] {
			all = append(all, cycleMember{platform: t})
		}
		if owner := byID[w.OwnerID]; owner != (cycleMember{}) {
			all = append(all, owner)
		}
		owners[keyOf(w)] = all
	}
	return owners
}

// monitorHolders are the platform threads whose frames have entered monitors, by the address of the object.
func (d *Dump) monitorHolders() map[uint64][]*thread.Thread {
	holders := map[uint64][]*thread.Thread{}
	for _, t := range d.Threads {
		for _, f := range slices.Concat(t.Frames, t.Mounted) {
			for _, l := range f.Locks {
				if l.Action == thread.Locked && !waitsIn(t, l.Object) {
					holders[l.Object.Address] = append(holders[l.Object.Address], t)
				}
			}
		}
	}
	return holders
}

// waitsIn reports that a thread has given up a monitor that its frames have entered: it is in Object.wait().
func waitsIn(t *thread.Thread, o object.ID) bool {
	return t.Waits != nil && t.Waits.Kind == thread.InWait && t.Waits.Object.Address == o.Address
}
