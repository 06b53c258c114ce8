package thread

import (
	"github.com/jstall/jstall/internal/hotspot/stack"
	"slices"
)

// lines puts frames into words, with what javaVFrame::print_lock_info_on writes under each
// (runtime/vframe.cpp).
func (r *Reader) lines(t *Thread, frames []stack.JavaFrame) []Frame {
	if len(frames) == 0 {
		return nil
	}
	pending, waiting := r.MonitorObject(t.pending), r.MonitorObject(t.waits)
	lines := make([]Frame, len(frames))
	for i, f := range frames {
		lines[i].Text, lines[i].Hidden = r.Frame(f.Method, f.BCI), f.Method.Hidden
		if i == 0 {
			lines[0].Locks = r.topLocks(t, f, waiting)
		}
		found := false
		for _, m := range f.Monitors {
			lock, ok := r.monitorLock(m)
			if !ok {
				continue
			}
			switch {
			case m.Eliminated:
			case i == 0 && !found && m.Object == pending:
				lock.Action = actionToLock
			case i > 0 && m.Object == waiting && r.relocksInCaller():
				lock.Action = actionRelock
			default:
				lock.doubtful = !r.mayBeLocked(m.Object)
			}
			found = found || !m.Eliminated && !lock.doubtful
			lines[i].Locks = append(lines[i].Locks, lock)
		}
	}
	return lines
}

// mayBeLocked looks at the mark of an object that a frame has entered. One that is not locked means
// that the object has moved and the frame does not know it yet, or that a collection keeps the mark
// elsewhere. The lowest two bits are 1 if the object is not locked, unless they and the next are 5:
// biased to a thread, up to 17 (oops/markWord.hpp).
func (r *Reader) mayBeLocked(oop uint64) bool {
	const unlocked, lockBits, biased, biasedBits = 1, 3, 5, 7
	mark := r.Objects.U64(oop)
	return mark&lockBits != unlocked || mark&biasedBits == biased
}

// relocksInCaller: from 9 to 13 the frame that has locked what its thread waits on says so.
func (r *Reader) relocksInCaller() bool { return r.Major > 8 && r.Major < 14 }

// topLocks is what the innermost frame waits for, and notes it in the thread.
func (r *Reader) topLocks(t *Thread, f stack.JavaFrame, waiting uint64) []Lock {
	if t.pending != 0 {
		t.Waits = &Wait{Object: r.Object(r.MonitorObject(t.pending)), Kind: ToLock, Monitor: t.pending}
	}
	var lock Lock
	switch {
	case isObjectWait(f.Method):
		oop := f.Receiver
		if oop == 0 {
			oop = waiting
		}
		if oop == 0 {
			return nil
		}
		lock = Lock{Action: actionWaits, Object: r.Object(oop)}
		if t.State == Blocked && r.Major >= 14 {
			lock.Action = actionRelock
		}
		switch {
		case t.pending != 0:
		case t.State == Blocked: // notified: the monitor has to be entered again
			t.Waits = &Wait{Object: lock.Object, Kind: ToLock, Monitor: t.waits}
		default:
			t.Waits = &Wait{Object: lock.Object, Kind: InWait}
		}
	case t.parkBlocker != 0:
		lock = Lock{Action: actionParks, Object: r.PlainObject(t.parkBlocker)}
		t.Waits = &Wait{Object: lock.Object, Kind: Parked, OwnerID: r.SynchronizerOwner(t.parkBlocker)}
	default:
		return nil
	}
	if lock.Object.Class == "" {
		return nil
	}
	return []Lock{lock}
}

// isObjectWait: from 21 on the native method is wait0.
func isObjectWait(m *stack.Method) bool {
	return m.Class.Name == "java.lang.Object" && (m.Name == "wait" || m.Name == "wait0")
}

// monitorLock is the line of a monitor that is taken to be held.
func (r *Reader) monitorLock(m stack.HeldMonitor) (Lock, bool) {
	lock := Lock{Action: Locked}
	if m.Eliminated {
		lock.Action = actionRemove
	}
	switch {
	case m.Scalar != nil:
		lock.Object.Class = m.Scalar.Name
	case m.Object != 0:
		lock.Object = r.Object(m.Object)
	}
	return lock, lock.Object.Class != ""
}

// MonitorObject is the object of an ObjectMonitor (runtime/objectMonitor.hpp).
func (r *Reader) MonitorObject(monitor uint64) uint64 {
	if monitor == 0 {
		return 0
	}
	oop := r.Objects.U64(monitor + r.Monitor.Object)
	if r.Monitor.ObjectIsHandle && oop != 0 {
		oop = r.Objects.U64(oop)
	}
	return r.Load(oop)
}

// FindOwners finds who has entered the monitor that a thread waits to enter, for each thread. It leaves out the locks
// of frames whose objects have no mark of a lock, unless one of these monitors belongs to the object and has that
// owner.
//
// lockedLightly are the ids of unmounted virtual threads by the objects that they have locked lightly, virtual are the
// waits of virtual threads for monitors.
func (r *Reader) FindOwners(threads []*Thread, lockedLightly map[uint64]int64, virtual []*Wait) {
	o := owners{threads: threads, byAddress: map[uint64]*Thread{}, byOwnerID: map[uint64]*Thread{},
		unmounted: lockedLightly, numbered: r.Thread.MonitorOwnerID.Known}
	for _, t := range threads {
		o.byAddress[t.Address] = t
		if t.ownerID != 0 {
			o.byOwnerID[t.ownerID] = t
		}
	}
	held := map[uint64]*Thread{}
	words := map[uint64]uint64{} // many may wait for one monitor
	ownerOf := func(w *Wait, waiter int64) {
		word, read := words[w.Monitor]
		if !read {
			word = r.FreshWord(w.Monitor + r.Monitor.Owner)
			words[w.Monitor] = word
		}
		owner, id := o.of(word, w.Object.Address, r.VM.MonitorAnonymousOwner)
		if id != 0 && id != waiter {
			w.OwnerID = id
			held[w.Object.Address] = owner
		}
	}
	for _, t := range threads {
		if t.Waits != nil && t.Waits.Monitor != 0 {
			ownerOf(t.Waits, t.RunsAs())
		}
	}
	for _, w := range virtual {
		ownerOf(w, 0)
	}
	for _, t := range threads {
		for _, frames := range [][]Frame{t.Frames, t.Mounted} {
			for i := range frames {
				frames[i].Locks = slices.DeleteFunc(frames[i].Locks, func(l Lock) bool {
					return l.doubtful && held[l.Object.Address] != t
				})
			}
		}
	}
}

// owners finds threads by what an ObjectMonitor has in _owner.
type owners struct {
	threads              []*Thread
	byAddress, byOwnerID map[uint64]*Thread
	// unmounted are the ids of virtual threads by the objects that they have locked lightly.
	unmounted map[uint64]int64
	// numbered reports that an owner is a Java id (24 and newer).
	numbered bool
}

// of is the owner: _owner holds the thread, or, as long as no other thread needed to know, the address
// of a lock record on its stack (legacy locking, up to 23), or a word for "whoever has the object in
// its lock stack" (lightweight locking, 21 and newer), or the owner's number (24 and newer).
//
// id is the Java id of the owner: of a virtual thread where one has entered the monitor, mounted or not. t is the
// platform thread on whose stack the frame that has entered it is, nil if there is no such thread.
func (o *owners) of(owner, object, anonymous uint64) (t *Thread, id int64) {
	switch {
	case owner == 0:
		return nil, 0
	case o.byOwnerID[owner] != nil:
		return o.byOwnerID[owner], int64(owner)
	case o.byAddress[owner] != nil:
		return o.byAddress[owner], o.byAddress[owner].holderOf(object)
	}
	for _, t := range o.threads {
		if owner == anonymous && anonymous != 0 {
			if slices.Contains(t.lockStack, object) {
				return t, t.holderOf(object)
			}
		} else if owner >= t.stackLow && owner < t.StackHigh {
			return t, t.holderOf(object)
		}
	}
	switch {
	case owner == anonymous && anonymous != 0:
		return nil, o.unmounted[object]
	case o.numbered:
		return nil, int64(owner)
	}
	return nil, 0
}
