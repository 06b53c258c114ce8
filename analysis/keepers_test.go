package analysis

import "testing"

// What grows until others may go on is being loaded.
func TestWhatOthersWaitForIsLoaded(t *testing.T) {
	for _, test := range []struct {
		name, gives string
		waits       bool
		want        string
	}{
		{"they wait for its latch", "latch", true, "heap-growth/info/possible: a | "},
		{"they wait for another", "", true, "heap-growth/warning/likely: a | "},
		{"nobody waits", "latch", false, "heap-growth/warning/likely: a | "},
	} {
		code := &Bytecode{
			Read: 3, Calls: []string{"java.util.Map.put"}, Closed: true,
			Gives: map[string][]string{"Load.run:12>page": {test.gives}},
			Ahead: map[string][]string{"Load.page:11>sleep": {keepsWord}, "Load.run:12>page": {test.gives, keepsWord}, "Gate.run:13>await": nil},
		}
		look := filling(20*mb, 160*mb, 180*mb, 200*mb)
		for i := range look {
			age := used(0.1, 8+float64(i))
			loads := look[i].Dump.Threads[0]
			loads.Stack = stack("!java.lang.Thread.sleep", "Load.page", "Load.run")
			age(loads)
			inLines(loads)
			if test.waits {
				gate := thread(7, "g", parkedIn(juc+"CountDownLatch$Sync", unsafePark, juc+"locks.LockSupport.park", juc+"CountDownLatch.await", "Gate.run"), age, inLines)
				look[i].Dump.Threads = append(look[i].Dump.Threads, gate)
			}
		}
		t.Run(test.name, func(t *testing.T) {
			expectOnly(t, diagnose(append(look, Observation{Bytecode: code})...), KindHeapGrowth, test.want)
		})
	}
}
