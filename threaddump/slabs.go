package threaddump

// slabs hands out Threads and Locks of one dump: thousands are a few objects.
type slabs struct {
	threads []Thread
	locks   []Lock
	spare   *Thread // taken back, to be handed out next
}

// newThread adds a thread to the dump; more is how many are known to come.
func (s *slabs) newThread(d *Dump, more int) *Thread {
	if th := s.spare; th != nil {
		s.spare = nil
		d.Threads = append(d.Threads, th)
		return th
	}
	if len(s.threads) == 0 {
		n := max(more, min(max(16, len(d.Threads)/2), 512))
		s.threads = make([]Thread, n)
		if d.Threads == nil {
			d.Threads = make([]*Thread, 0, n+16)
		}
	}
	th := &s.threads[0]
	s.threads = s.threads[1:]
	d.Threads = append(d.Threads, th)
	return th
}

// takeBack takes the thread that was added last out of the dump.
func (s *slabs) takeBack(d *Dump) {
	last := len(d.Threads) - 1
	s.spare = d.Threads[last]
	*s.spare = Thread{}
	d.Threads = d.Threads[:last]
}

// keepLocks copies a thread's locks.
func (s *slabs) keepLocks(d *Dump, locks []Lock) []Lock {
	n := len(locks)
	if n == 0 {
		return nil
	}
	if len(s.locks) < n {
		s.locks = make([]Lock, max(n, min(512, 16+len(d.Threads)/2)))
	}
	kept := s.locks[:n:n]
	s.locks = s.locks[n:]
	copy(kept, locks)
	return kept
}
