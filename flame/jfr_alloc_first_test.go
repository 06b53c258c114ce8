package flame

import "testing"

// The first sample of a thread counts from its beginning, in statistics that have each a
// time of their own.
func TestTheFirstAllocationOfAThread(t *testing.T) {
	const old, young, late = 1, 2, 3
	sample := func(thread, at uint64, bytes int64) allocation {
		return allocation{thread: thread, at: at, bytes: bytes}
	}
	for name, test := range map[string]struct {
		sample allocation
		want   int64
	}{
		"after what the statistics say":            {sample(old, 150, 1700), 700},
		"before they were asked":                   {sample(old, 50, 900), 0},
		"before its own, after those of others":    {sample(old, 101, 1000), 0},
		"of a thread that only later ones tell of": {sample(late, 150, 300), 300},
		"of a thread that none tells of":           {sample(9, 150, 400), 400},
		"of one whose start was recorded":          {sample(young, 150, 200), 200},
	} {
		t.Run(name, func(t *testing.T) {
			a := newAllocations()
			tell := func(thread, at uint64, bytes int64) {
				a.learn("", fields{"thread": thread, "startTime": at, "allocated": uint64(bytes)},
					newNames(nil, nil, false))
			}
			tell(old, 200, 2000)
			tell(8, 100, 5)
			tell(8, 199, 6)
			tell(old, 102, 1000)
			tell(late, 201, 350)
			a.learn(threadStart, fields{"thread": young}, nil)
			a.samples = []allocation{test.sample}
			var got int64
			a.settle(func(uint64) bool { return false }, func(_ allocation, bytes int64) { got = bytes })
			if got != test.want {
				t.Errorf("%d bytes, want %d", got, test.want)
			}
		})
	}
}
