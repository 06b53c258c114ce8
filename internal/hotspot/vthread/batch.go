package vthread

import (
	"maps"
	"slices"
)

// readBatch reads threads that are close together in the list, and proves that none changed meanwhile.
func (r *reader) readBatch(batch []found, patient bool) {
	if !r.stopped && r.jvm.Movement() != InPauses {
		r.jvm.Refresh()
	}
	threads, relocated := r.unread(batch)
	r.readNames(threads)
	r.readStacks(slices.DeleteFunc(slices.Clone(threads), func(t *Thread) bool { return !t.unmounted() }))
	if r.moved = r.collected(); r.moved {
		return
	}
	if r.unknown && !r.stopped {
		r.renewCode()
	}
	for _, t := range threads {
		r.retry(t)
	}
	r.readWaits(append(relocated, threads...))
	if r.moved = r.collected(); r.moved {
		return
	}
	r.keepRead(threads, patient)
}

// unread are the threads of a batch that were not read in a round before, and those that were and have moved since.
func (r *reader) unread(batch []found) (threads, relocated []*Thread) {
	fresh := slices.Clone(slices.DeleteFunc(r.heads(batch), func(t Thread) bool {
		old := r.known(&t)
		if old != nil && r.relocated && old.Object != t.Object {
			relocated = append(relocated, old)
			old.relocate(&t)
		}
		return old != nil
	}))
	threads = make([]*Thread, len(fresh))
	for i := range fresh {
		threads[i] = &fresh[i]
	}
	return threads, relocated
}

// keepRead keeps what was read, but for threads that have ended and those that must be looked for again.
func (r *reader) keepRead(threads []*Thread, patient bool) {
	for _, t := range threads {
		switch {
		case t.Stack < 0 && int(t.raw) == r.layout.terminated:
		case t.State == "", t.Why == Moved && r.jvm.Movement() != InPauses && !r.stopped && patient:
			r.strayed++ // look for it again: it is not where it was said to be
		default:
			r.keep(t)
		}
	}
}

// known is the thread if it is done: it was read, and where objects have moved since nothing else has changed.
func (r *reader) known(t *Thread) *Thread {
	i, done := r.done[t.ID]
	if !done {
		return nil
	}
	old := r.result.Threads[i]
	if r.relocated && (old.raw != t.raw || len(old.Locked) > 0 || (old.Blocker == 0) != (t.Blocker == 0)) {
		return nil
	}
	return old
}

// relocate takes from a new reading where the thread and what it refers to are.
func (t *Thread) relocate(now *Thread) {
	t.Object, t.Carrier, t.Blocker, t.Waiter = now.Object, now.Carrier, now.Blocker, now.Waiter
	t.continuation, t.scopes, t.name = now.continuation, now.scopes, now.name
}

// keep takes a thread into the result, in the place of an earlier reading of it.
func (r *reader) keep(t *Thread) {
	if i, done := r.done[t.ID]; done {
		r.result.Threads[i] = t
		return
	}
	r.done[t.ID] = len(r.result.Threads)
	r.result.Threads = append(r.result.Threads, t)
}

// readWaits reads what threads wait for. Where objects move while the program runs, what was read counts only if the
// threads refer to the same objects afterwards.
func (r *reader) readWaits(threads []*Thread) {
	r.jvm.Waits(threads)
	if r.stopped || r.jvm.Movement() == InPauses {
		return
	}
	for n := 0; len(threads) > 0; n++ {
		if threads = r.otherWaits(threads); n == mostMoves {
			break
		}
		r.jvm.Waits(threads)
	}
	for _, t := range threads {
		t.Waits = nil
	}
}

// otherWaits are threads whose blocker is elsewhere now. Those that wait no more have nothing that they wait for.
func (r *reader) otherWaits(threads []*Thread) []*Thread {
	r.jvm.Refresh()
	addresses := make([]uint64, len(threads))
	for i, t := range threads {
		if t.Blocker != 0 && t.Waits != nil {
			addresses[i] = t.Object
		}
	}
	l := r.layout
	r.reuse()
	objects := r.objects(addresses, l.threadSize)
	var other []*Thread
	for i, t := range threads {
		b := objects.of(i)
		switch {
		case addresses[i] == 0:
		case !objects.ok[i] || int64(wordIn(b, l.id)) != t.ID || int32(intIn(b, l.state)) != t.raw:
			t.Waits = nil
		default:
			if now := r.jvm.Current(r.reference(b, l.blocker)); now != t.Blocker {
				t.Blocker, other = now, append(other, t)
			}
		}
	}
	return other
}

// renewCode forgets code that was not known, and the stacks that had such frames.
func (r *reader) renewCode() {
	r.unknown = false
	r.jvm.Renew()
	clear(r.code)
	maps.DeleteFunc(r.stacks, func(_ string, i int32) bool { return r.kinds[i] == partOfStack })
}

// retry reads a single thread again that has moved.
func (r *reader) retry(t *Thread) {
	for n := 0; t.Why == Moved && n < attempts && !r.stopped; n++ {
		if !r.again(t) {
			return
		}
		if t.unmounted() {
			r.readStacks([]*Thread{t})
		}
	}
}

// again reads the object of a thread again; false if it is not there any more.
func (r *reader) again(t *Thread) bool {
	fresh := r.heads([]found{{t.Object, t.Container}})
	if len(fresh) != 1 || fresh[0].ID != t.ID || fresh[0].State == "" {
		return false
	}
	fresh[0].Name, fresh[0].Unnamed = t.Name, t.Unnamed
	*t = fresh[0]
	return true
}
