package object

import "slices"

// Sound returns the set without entries that cannot be true of a JVM.
func (s *Set) Sound() *Set {
	return &Set{
		Synchronizers: slices.DeleteFunc(s.Synchronizers, func(x Synchronizer) bool { return !x.sound() }),
		Futures:       slices.DeleteFunc(s.Futures, func(f Future) bool { return f.State == "" || f.Kind == "" }),
		Executors:     slices.DeleteFunc(s.Executors, func(e Executor) bool { return !e.sound() }),
		Queues:        slices.DeleteFunc(s.Queues, func(q Queue) bool { return !q.sound() }),
		Pools:         slices.DeleteFunc(s.Pools, func(p Pool) bool { return p.Active < 0 || p.Idle < 0 }),
		Joins:         slices.DeleteFunc(s.Joins, func(j Join) bool { return j.WaiterID <= 0 || j.ThreadID <= 0 }),
	}
}

func (s Synchronizer) sound() bool {
	return s.Kind != "" && s.Parties >= 0 && s.Readers >= 0 && s.Holds >= 0 && (s.Kind == Semaphore || s.Left >= 0)
}

func (e Executor) sound() bool {
	return e.Kind != "" && e.Active >= 0 && e.Workers >= e.Active && e.Core >= 0 && e.Most >= 0 &&
		(e.Queue == nil || e.Queue.sound())
}

func (q Queue) sound() bool { return q.Size >= 0 && q.Capacity >= -1 }
