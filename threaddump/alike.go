package threaddump

const (
	// listedAlike is how many threads are kept that wait for one object at one
	// place, listedAtPlace how many at one place in all.
	listedAlike   = 32
	listedAtPlace = 256
)

// alikeThreads finds the virtual threads of one dump that are alike.
type alikeThreads struct {
	places map[place]*standing
	left   []leftOut
}

// place is where threads are alike: at one stack, in one state, waiting for an
// object of one class.
type place struct {
	stack *(*Frame)
	depth int
	state State
	op    LockOp
	class string
}

// standing are the threads kept of one place.
type standing struct {
	kept     int
	last     *Thread
	byObject map[uint64]*sameObject
}

type sameObject struct {
	kept  int
	first *Thread
}

// leftOut is a thread that is only counted; owned are the monitors that it holds
// in addition to the one it waits for.
type leftOut struct {
	like  *Thread
	id    int64
	name  string
	line  int
	waits Lock
	owned []Lock
}

func newAlikeThreads() *alikeThreads { return &alikeThreads{places: map[place]*standing{}} }

// absorb counts a complete virtual thread with those that are alike and returns
// true, or notes it as one to be listed. A mounted thread is always listed.
func (c *alikeThreads) absorb(th *Thread, name []byte, in *Interner) bool {
	if !th.Virtual || th.Carrier != 0 {
		return false
	}
	waits, owned := splitLocks(th.Locks)
	at := c.standing(place{firstOf(th.Stack), len(th.Stack), th.State, waits.Op, waits.Class})
	object := at.byObject[waits.Address]
	if object == nil {
		object = &sameObject{}
		if at.kept < listedAtPlace {
			at.byObject[waits.Address] = object
		}
	}
	if at.kept < listedAtPlace && object.kept < listedAlike {
		at.kept++
		object.kept++
		at.last = th
		if object.first == nil {
			object.first = th
		}
		return false
	}
	like := at.last
	if object.first != nil {
		like = object.first
	}
	like.Alike++
	c.left = append(c.left,
		leftOut{like: like, id: th.ID, name: in.copy(name), line: th.Line, waits: waits, owned: owned})
	return true
}

func (c *alikeThreads) standing(at place) *standing {
	s := c.places[at]
	if s == nil {
		s = &standing{byObject: map[uint64]*sameObject{}}
		c.places[at] = s
	}
	return s
}

func firstOf(stack []*Frame) *(*Frame) {
	if len(stack) == 0 {
		return nil
	}
	return &stack[0]
}

// splitLocks parts the lock that a thread waits for from the monitors it holds
// in addition to that.
func splitLocks(locks []Lock) (waits Lock, owned []Lock) {
	for _, l := range locks {
		if l.Op == WaitingToLock || l.Op == WaitingOn || l.Op == Parking {
			waits = l
		}
	}
	for _, l := range locks {
		if l.Op == Locked && (l.Address != waits.Address || l.Class != waits.Class) {
			owned = append(owned, l)
		}
	}
	return waits, owned
}

// object identifies a lock in a dump that prints identity hashes, which two
// objects may share.
type object struct {
	class string
	hash  uint64
}

// wanted is what the threads of a dump wait for.
type wanted struct {
	owners  map[int64]bool
	objects map[object]bool
}

func (w *wanted) add(l Lock) {
	if l.Owner != 0 {
		w.owners[l.Owner] = true
	}
	if l.Op == WaitingToLock {
		w.objects[object{l.Class, l.Address}] = true
	}
}

func (w *wanted) from(l *leftOut) bool {
	if w.owners[l.id] {
		return true
	}
	for _, o := range l.owned {
		if w.objects[object{o.Class, o.Address}] {
			return true
		}
	}
	return false
}

// list puts those threads back that others wait for.
func (c *alikeThreads) list(s *slabs, d *Dump) {
	w := &wanted{owners: map[int64]bool{}, objects: map[object]bool{}}
	for _, th := range d.Threads {
		for _, l := range th.Locks {
			w.add(l)
		}
	}
	for i := range c.left {
		w.add(c.left[i].waits)
	}
	for i := range c.left {
		l := &c.left[i]
		if !w.from(l) {
			continue
		}
		l.like.Alike--
		th := s.newThread(d, 0)
		*th = *l.like
		th.ID, th.Name, th.Line, th.StackLine, th.Alike = l.id, l.name, l.line, 0, 0
		locks := l.owned
		if l.waits.Op != LockUnknown {
			locks = append([]Lock{l.waits}, locks...)
		}
		th.Locks = locks
	}
	c.left = nil
}
