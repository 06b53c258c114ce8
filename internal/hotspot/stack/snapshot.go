package stack

import "context"

// Registers finds where threads are that run.
type Registers interface {
	// Sample returns one moment of each thread, by the kernel's ids. A thread that did
	// not run until ctx ended, or some time before, has none. An error means that none can be sampled.
	Sample(ctx context.Context, tids []int) (map[int]Snapshot, error)
}

// Snapshot is one moment of a thread: some of its registers, and a copy of its stack from SP on.
type Snapshot struct {
	PC, SP, FP uint64
	// BCP is the address of a bytecode if the interpreter runs, Thread the JavaThread in Java code.
	BCP, Thread uint64
	Stack       []byte
}
