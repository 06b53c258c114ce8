package objects_test

import (
	"testing"

	"github.com/jstall/jstall/analysis/facts/objects"
	. "github.com/jstall/jstall/analysis/internal/dumptest"
	"github.com/jstall/jstall/analysis/object"
	"github.com/jstall/jstall/analysis/timeline"
)

// The state of an object is worded for each kind that memory has, and for no thread that waits for none.
func TestStateOfWhatAThreadWaitsFor(t *testing.T) {
	o := Observe(0, Thread(1, "latch", Waiting(7)), Thread(2, "permit", Waiting(8)), Thread(3, "lock", Waiting(9)),
		Thread(4, "future", Waiting(10)), Thread(5, "queue", Waiting(11)), Thread(6, "pool", Waiting(12)),
		Thread(7, "barrier", Waiting(13)), Thread(8, "none", Waiting(14)))
	o.Objects = &object.Set{
		Synchronizers: []object.Synchronizer{
			{Kind: object.Latch, Left: 1, WaiterIDs: []int64{1}},
			{Kind: object.Semaphore, WaiterIDs: []int64{2}},
			{Kind: object.Lock, OwnerID: 1, WaiterIDs: []int64{3}},
			{Kind: object.Barrier, Left: 2, Parties: 5, WaiterIDs: []int64{7}},
		},
		Futures: []object.Future{{State: "NEW", RunnerID: 2, WaiterIDs: []int64{4}}},
		Queues:  []object.Queue{{Size: 10, Capacity: 10, ThreadIDs: []int64{5}}},
		Pools:   []object.Pool{{Active: 3, Most: 3, ThreadIDs: []int64{6}}},
	}
	s := timeline.NewSeries()
	s.Add(o)
	moments, _ := s.Split()
	f := timeline.Arrange(moments)
	states := objects.New(f)
	want := map[string]string{"latch": "count 1", "permit": "0 permits", "lock": `held by "latch"`,
		"future": `run by "permit"`, "queue": "10 of 10 elements", "pool": "3 active, 0 idle",
		"barrier": "2 of 5 parties absent", "none": ""}
	for _, h := range f.Alive() {
		if got := states.StateOf(f, h); got != want[h.Thread.Name] {
			t.Errorf("%s: %q, want %q", h.Thread.Name, got, want[h.Thread.Name])
		}
	}
}
