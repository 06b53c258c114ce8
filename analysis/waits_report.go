package analysis

// addWaits says of each thread of the last dump whether it is idle, and what it
// waits for if it is not.
func addWaits(f *lockFacts, threads []*history, rows []ThreadReport) {
	owners := f.owners()
	for i, h := range threads {
		if h.idle() {
			rows[i].Idle = h.last().resting().what
		}
		if !h.surelyIdle() {
			rows[i].WaitsFor = f.waitOf(h, owners[h.last()])
		}
	}
}

// owners maps the threads of the last dump to those that hold what they wait for,
// as far as the dump tells.
func (f *lockFacts) owners() map[*Sample]*Sample {
	g := f.graph(len(f.snaps) - 1)
	owners := map[*Sample]*Sample{}
	for _, i := range g.waiting {
		if owner := g.next(i); owner != none {
			owners[&g.snap.samples[i]] = &g.snap.samples[owner]
		}
	}
	return owners
}

// waitOf is what a thread waits for at the end of the capture, nil if for nothing.
func (f *timeline) waitOf(h *history, owner *Sample) *Wait {
	s := h.last()
	what := s.waitType()
	if what == "" || s.wait == waitIO && h.works() {
		return nil
	}
	w := &Wait{Type: what, Operation: s.Stack.op.name()}
	if l := s.waitsOn(); l != nil {
		w.Class = l.class
		if l.address != 0 {
			w.Address = hex(l.address)
		}
	}
	if owner != nil {
		t := owner.Thread
		w.Owner = &ThreadRef{Name: t.Name, ID: t.ID, NativeID: t.NativeID}
	}
	since := h.waitsSince()
	w.Dumps = len(h.samples) - since
	if w.Dumps > 1 && !h.wokenSince(since) {
		w.Seconds = inSeconds(f.between(h.at[since], h.at[len(h.at)-1]))
	}
	return w
}

// works tells a thread that uses CPU, whatever its top frame is.
func (h *history) works() bool {
	share := h.share()
	return share.Known && share.Value > groupShare
}

// waitsSince counts in samples, back to the first from which on every dump shows
// the thread at the same place in the same wait. The collector may have moved
// the object, so its address does not count.
func (h *history) waitsSince() int {
	now := h.last()
	i := len(h.samples) - 1
	for ; i > 0; i-- {
		then := h.samples[i-1]
		gap := h.at[i] != h.at[i-1]+1
		if gap || then.Stack != now.Stack || then.wait != now.wait || then.waitClass() != now.waitClass() {
			break
		}
	}
	return i
}

// wokenSince reports that the thread used more CPU after a sample than a wait costs: it
// has been elsewhere, and came back.
func (h *history) wokenSince(i int) bool {
	for ; i < len(h.samples)-1; i++ {
		most := wakeCost
		if h.samples[i].wait == waitMonitor {
			most = recheckCost
		}
		if used := growth(h.samples[i].cpu, h.samples[i+1].cpu); used.Known && used.Value > most {
			return true
		}
	}
	return false
}

// waitClass is the class of the object waited for, empty if none is printed.
func (s *Sample) waitClass() string {
	if l := s.waitsOn(); l != nil {
		return l.class
	}
	return ""
}

// waitType words what a thread waits for, as Wait.Type; empty if it runs. A lock
// is a lock wherever it is taken; of other waits a known library's place tells
// most, and the operation more than the object that the thread is parked on.
func (s *Sample) waitType() string {
	switch {
	case s.wait <= running || s.wait == waitWork:
		return ""
	case s.wait.forLock():
		return lockType(s)
	}
	if lock, is := outerLocks[outerLockOf(s)]; is {
		return lock.resource
	}
	if r := s.position(); r != nil && r.not {
		switch r.what {
		case "pool":
			return "pooled object"
		case "limiter":
			return "permit"
		case "reply":
			return "result"
		}
	}
	if what := s.Stack.op.kind.awaited(); what != "" {
		return what
	}
	return s.wait.awaited()
}

// awaited is what ends an operation, empty if the operation does not tell.
func (k opKind) awaited() string {
	words := [...]string{
		opLock: "ownable synchronizer", opReadLock: "ownable synchronizer", opPermit: "permit",
		opPut: "queue space", opTake: "queue item", opExchange: "exchange", opResult: "result",
		opLatch: "latch", opBarrier: "barrier", opCondition: "condition", opNotify: "notification",
		opJoin: "thread end", opTermination: "executor end", opProcess: "process end",
		opSleep: "time", opPark: "unpark", opSelect: "network",
		opAccept: "connection", opConnect: "connection", opRead: "input", opWrite: "output", opFileLock: "file lock", opOpen: "file",
	}
	if int(k) >= len(words) {
		return ""
	}
	return words[k]
}

// awaited is what ends a wait of which no operation is known.
func (k waitKind) awaited() string {
	words := [...]string{
		waitNotify: "notification", waitPermit: "permit", waitCondition: "condition", waitSignal: "signal",
		waitFuture: "result", waitHandoff: "exchange", waitPark: "unpark", waitSleep: "time",
		waitIO: "input or output", waitSelect: "network",
	}
	if int(k) >= len(words) {
		return ""
	}
	return words[k]
}
