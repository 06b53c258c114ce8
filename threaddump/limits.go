package threaddump

// Bounds of one dump. Real dumps stay far below them: a JVM prints at most 1,024 frames of
// a stack unless an option changes that, and Linux allows 32,768 threads.
const (
	maxThreads = 120_000
	// maxAlike is how many threads are counted and not kept (WithAlikeCounted).
	maxAlike  = 1_000_000
	maxFrames = 1 << 16 // of a thread
	maxLocks  = 1 << 16 // of a thread
	// maxMembers bounds the JVM's report of deadlocks.
	maxMembers = 1 << 17
	// maxNewFrames and maxStackFrames bound the different frames of a dump, and the frames
	// of its different stacks.
	maxNewFrames   = 1 << 18
	maxStackFrames = 1 << 23
	// maxText bounds the bytes of names, frames and classes of a dump.
	maxText = 64 << 20
	// maxOddQuotes bounds the broken headers and names of a dump, each of which takes a look
	// ahead.
	maxOddQuotes = 1 << 19
	// maxSkipped bounds how much of a line is passed over beyond maxLine.
	maxSkipped = 512 << 20
)

// BoundError names what there was too much of. Reading ends there.
type BoundError struct{ What string }

func (e *BoundError) Error() string { return "it has " + e.What + ", more than can be read" }

const (
	// nameLimit bounds a name with line breaks; Java has no limit.
	nameLimit = 512 << 10
	// headerRest bounds what follows the name in a header.
	headerRest = 400
)
