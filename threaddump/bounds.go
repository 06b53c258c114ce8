package threaddump

import "fmt"

// Bounds of one dump. Real dumps stay far below them: a JVM prints at most 1,024 frames of
// a stack unless told otherwise, and Linux allows 32,768 threads.
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

// BoundError tells what there was too much of. Reading ends there.
type BoundError struct{ What string }

func (e *BoundError) Error() string { return "it has " + e.What + ", more than can be read" }

// tooMany ends the reading of the input, as if it were cut here.
func (r *input) tooMany(n int, what string) { r.tooMuch(fmt.Sprintf("more than %d %s", n, what)) }

func (r *input) tooMuch(what string) {
	r.rest = nil
	r.src.stop(&BoundError{what})
}

// boundThread ends the reading if a dump, or a thread of it, holds too much.
func (r *input) boundThread(frames, locks int) {
	switch {
	case frames > maxFrames:
		r.tooMany(maxFrames, "frames in one thread")
	case locks > maxLocks:
		r.tooMany(maxLocks, "locks in one thread")
	default:
		r.boundText()
	}
}

// boundDump ends the reading if a dump has too many threads, or too much in them.
func (r *input) boundDump(threads, alike int) {
	switch {
	case threads > maxThreads:
		r.tooMany(maxThreads, "threads in one dump")
	case alike > maxAlike:
		r.tooMany(maxAlike, "threads in one dump")
	default:
		r.boundText()
	}
}

func (r *input) boundText() {
	switch in := r.in; {
	case in.newFrames > maxNewFrames:
		r.tooMany(maxNewFrames, "different frames in one dump")
	case in.stackFrames > maxStackFrames:
		r.tooMany(maxStackFrames, "frames in different stacks of one dump")
	case in.copied > maxText:
		r.tooMuch(fmt.Sprintf("more than %d MB of different names in one dump", maxText>>20))
	}
}
