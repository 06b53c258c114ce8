package hotspot

import (
	"github.com/jstall/jstall/internal/hotspot/stack"
	"time"
)

// RunBatch is what was sampled since the one before.
type RunBatch struct {
	Samples []RunSample
	// Ended are threads that have ended, by the ids of samples, and what they used since they were started. Parts of a
	// thread's time may come with the next batch.
	Ended map[int]Used
	// Lost counts samples for which the kernel had no room.
	Lost uint64
}

// RunSample is one sample of a thread.
type RunSample struct {
	TID int
	// At is since the profile was opened.
	At time.Duration
	// Thread is its name: the Java name of a thread that was seen to be one, else the kernel's.
	Thread string
	// Java reports that the name is Java's.
	Java  bool
	Stack stack.SampledStack
}
