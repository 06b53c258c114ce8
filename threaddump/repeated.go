package threaddump

import "slices"

// Dumps without heads may follow each other, as when somebody copies the threads of interest out of several. Nothing is
// between them. What cannot be twice in one dump begins the next one: a thread with the same id and address, or a
// thread of which every JVM has one.

// seenThread is what no two threads of a dump have in common.
type seenThread struct {
	id  int64
	tid uint64
}

// seenThreads are those of a dump without a head.
type seenThreads map[seenThread]bool

func (s *seenThreads) add(h *header) {
	if h.id <= 0 || h.tid == 0 {
		return
	}
	if *s == nil {
		*s = seenThreads{}
	}
	(*s)[seenThread{h.id, h.tid}] = true
}

func (s seenThreads) has(h *header) bool { return h.id > 0 && s[seenThread{h.id, h.tid}] }

// onlyThreads are names of threads of which every JVM has one.
var onlyThreads = [...]string{"Reference Handler", "Finalizer", "Signal Dispatcher"}

// hasOnlyThreads reports that all of onlyThreads are among some threads.
func hasOnlyThreads(threads []*Thread) bool {
	found := map[string]bool{}
	for _, t := range threads {
		if slices.Contains(onlyThreads[:], t.Name) {
			found[t.Name] = true
		}
	}
	return len(found) == len(onlyThreads)
}

// comesTwice is the place of the first thread that has the name of one of onlyThreads and is not the first of that
// name; 0 otherwise.
func comesTwice(threads []*Thread) int {
	seen := map[string]bool{}
	for i, t := range threads {
		if slices.Contains(onlyThreads[:], t.Name) && seen[t.Name] {
			return i
		}
		seen[t.Name] = true
	}
	return 0
}

// holdsTwice is the place of the first thread that holds a monitor which a thread before it holds, too; 0 if there is
// none.
func holdsTwice(threads []*Thread) int {
	held := map[uint64]bool{}
	for i, t := range threads {
		for _, address := range t.heldMonitors() {
			if held[address] {
				return i
			}
		}
		for _, address := range t.heldMonitors() {
			held[address] = true
		}
	}
	return 0
}

// heldMonitors are the addresses of the monitors that a thread holds. One in Object.wait() gave one up, which a
// compiled method may not name: it counts as one that holds none.
func (t *Thread) heldMonitors() []uint64 {
	if len(t.Stack) > 0 && t.Stack[0].Class == "java.lang.Object" {
		return nil
	}
	var addresses []uint64
	for _, l := range t.Locks {
		wanted := func(other Lock) bool { return other.Address == l.Address && other.Op != Locked }
		if l.Op == Locked && l.Address != 0 && !slices.ContainsFunc(t.Locks, wanted) &&
			!slices.Contains(addresses, l.Address) {
			addresses = append(addresses, l.Address)
		}
	}
	return addresses
}

// separate moves threads that are of the next dumps out of d, into dumps that it returns: twice finds the first thread
// that cannot be in the same dump. The next dump begins with the newest thread up to there that looks like the first.
func separate(d *Dump, twice func([]*Thread) int, alike func(a, b *Thread) bool) []*Dump {
	all := []*Dump{d}
	for {
		last := all[len(all)-1]
		at := twice(last.Threads)
		if at == 0 {
			break
		}
		for i := at; i > 0; i-- {
			if alike(last.Threads[i], last.Threads[0]) {
				at = i
				break
			}
		}
		next := &Dump{Line: last.Threads[at].Line, Threads: last.Threads[at:], Fragment: d.Fragment, Cut: d.Cut,
			Instant: d.Instant}
		last.Threads, last.Cut = last.Threads[:at:at], false
		all = append(all, next)
	}
	for _, next := range all[1:] {
		ids := newMadeIDs()
		for _, t := range next.Threads {
			if IsMadeID(t.ID) {
				t.ID = ids.of([]byte(t.Name))
			}
		}
	}
	return all
}

func sameName(a, b *Thread) bool { return a.Name == b.Name }

// sameStack reports threads in the same state in the same methods.
func sameStack(a, b *Thread) bool {
	return a.State == b.State && slices.EqualFunc(a.Stack, b.Stack, func(f, g *Frame) bool { return f.Text == g.Text })
}
