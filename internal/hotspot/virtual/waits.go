package virtual

import (
	"strings"

	"github.com/jstall/jstall/internal/hotspot/thread"
	"github.com/jstall/jstall/internal/hotspot/vm"
	"github.com/jstall/jstall/internal/hotspot/vthread"
)

// Waits implements vthread.JVM.
func (v *JVM) Waits(threads []*vthread.Thread) {
	v.Forget()
	if v.waits == nil {
		v.Objects.Forget()
		v.waits = map[uint64]*thread.Wait{}
	}
	for _, t := range threads {
		v.KeepFew()
		v.Objects.KeepFew()
		t.Waits = nil
		if w := v.waitOf(t); w != nil {
			t.Waits = w
		}
		if t.Blocker != 0 {
			t.Blocker = v.Current(t.Blocker)
		}
	}
}

// Where an ObjectWaiter has its thread and its monitor (runtime/objectMonitor.hpp, 24 and newer): behind _next, _prev
// and _thread. No table has them; that the handle leads to the thread itself proves the place.
const waiterThread, waiterMonitor = 3 * vm.WordSize, 4 * vm.WordSize

// waitOf is what a thread waits for: a monitor while it is unmounted, or the object that it is parked for.
func (v *JVM) waitOf(t *vthread.Thread) *thread.Wait {
	kind := thread.ToLock
	switch t.State {
	case "BLOCKED":
	case "WAIT", "TIMED_WAIT":
		kind = thread.InWait
	default:
		return v.parkedFor(t)
	}
	if t.Waiter == 0 {
		return nil
	}
	handle := v.U64(t.Waiter + waiterThread)
	if handle == 0 {
		return nil
	}
	if oop := v.Objects.U64(handle); oop != t.Object && v.Load(oop) != v.Current(t.Object) {
		return nil
	}
	monitor := v.U64(t.Waiter + waiterMonitor)
	w := &thread.Wait{Object: v.Object(v.MonitorObject(monitor)), Kind: kind}
	if kind == thread.ToLock {
		w.Monitor = monitor
	}
	return w
}

// parkedFor is the object that a thread is parked for. Threads that wait for one object share it.
func (v *JVM) parkedFor(t *vthread.Thread) *thread.Wait {
	if t.Blocker == 0 || !strings.Contains(t.State, "PARKED") && !strings.Contains(t.State, "PINNED") {
		return nil
	}
	w, known := v.waits[t.Blocker]
	if !known {
		at := v.Current(t.Blocker)
		w = &thread.Wait{Object: v.PlainObject(at), Kind: thread.Parked, OwnerID: v.SynchronizerOwner(at)}
		if w.Object.Class == "" {
			w = nil
		}
		v.waits[t.Blocker] = w
	}
	return w
}
