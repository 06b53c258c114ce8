package vthread

import "time"

// Limit is how long the threads may be read: a base, and a time for each thread that was found.
type Limit struct{ Base, PerThread time.Duration }

// baseBytes and threadBytes bound what is read: a base, and so many bytes for each thread that was found.
const baseBytes, threadBytes = 512 << 20, 16 << 10

const (
	// batchBytes bounds the frames of the threads that are read at once.
	batchBytes = 256 << 20
	// blockBytes is how much memory is made at once.
	blockBytes = 1 << 20
	// mostLines bounds the lines of all stacks that differ, and mostNames the bytes of all names.
	mostLines, mostNames = 4 << 20, 256 << 20
	tooMuch              = "they take too much memory"
	tooLong              = "reading them took too long"
)

// grant allows time and bytes for more threads that were listed.
func (r *objectReader) grant(threads int) {
	r.deadline = r.deadline.Add(time.Duration(threads) * r.limit.PerThread)
	r.left += threads * threadBytes
}

// over reports that nothing more may be read: a limit is reached.
func (r *objectReader) over() bool {
	switch {
	case r.exceeded != "":
	case time.Now().After(r.deadline):
		r.exceeded = tooLong
	case r.left < 0:
		r.exceeded = tooMuch
	}
	return r.exceeded != "" || r.jvm.Err() != nil
}

// affords reports whether so many bytes may be read.
func (r *objectReader) affords(bytes int) bool {
	if bytes > r.left {
		r.exceeded = tooMuch
	}
	return bytes <= r.left
}

const (
	// largeBatch threads are read at once of a process that is stopped. Of one that runs it is smallBatch, since all
	// threads of a batch must not change until all of it was read again.
	largeBatch, smallBatch = 1 << 12, 1 << 8
)
