package facts

import "strings"

// monitor takes in that a thread waited to enter a monitor.
func (s *sums) monitor(e *event) {
	what := thing{class: e.class(e.number("monitorClass")), address: e.number("address")}
	w := s.wait(s.monitors, what, e)
	owner := e.number("previousOwner")
	if w == nil || owner == 0 {
		return
	}
	if t := e.thread(owner); t.Name != "" || t.ID != 0 {
		from, to := s.within(e.at("startTime"), e.took())
		s.addThread(w.owners, t, to.Sub(from), e.calls().place)
	}
}

// park takes in that a thread was parked for a lock. The address of the lock changes with collections: those at one
// place in the code are taken for one lock.
func (s *sums) park(e *event) {
	class := e.class(e.number("parkedClass"))
	if !isLock(class) {
		return
	}
	if place := e.calls().place; place.Frame != "" {
		s.wait(s.locks, thing{class: lockOf(class), place: place}, e)
	}
}

// isLock distinguishes the synchronizer of a lock from what threads without work park at: conditions, queues, latches.
func isLock(class string) bool {
	return strings.HasPrefix(class, "java.util.concurrent.locks.") &&
		(strings.HasSuffix(class, "Sync") || strings.HasSuffix(class, "StampedLock"))
}

// lockOf is the class that a program uses: ReentrantLock for ReentrantLock$NonfairSync.
func lockOf(class string) string {
	name, _, _ := strings.Cut(class, "$")
	return name
}

// pin takes in that a virtual thread waited and kept its carrier.
func (s *sums) pin(e *event) { s.addTo(s.pinned, e) }
