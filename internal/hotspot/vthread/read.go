package vthread

import (
	"cmp"
	"slices"
	"time"

	"github.com/jstall/jstall/internal/hotspot/vm"
)

// Threads is what was read.
type Threads struct {
	Threads []*Thread
	// Stacks are the stacks that threads name by number.
	Stacks [][]Line
	// Containers are those that threads name by number; the first one is the root, without a name.
	Containers []Container
	// Parallelism is how many carriers the default scheduler starts, 0 if it is not known.
	Parallelism int
	// Found is how many were listed, without those of structured scopes: more than len(Threads) if some are missing.
	Found int
	// Missing is why threads may be missing, empty if all were found.
	Missing string

	reader *reader
}

// Container is where the JDK keeps threads: an executor, a structured scope.
type Container struct {
	Name string
	// Owner is the id of the thread that opened a structured scope, else 0.
	Owner int64
}

// reader reads the threads of one moment.
type reader struct {
	jvm     JVM
	layout  *layout
	in      InterpretedFrame
	result  *Threads
	stopped bool
	// lost reports that a list was not what it should be: threads may be missing. strayed is how many threads were not
	// where a list had them.
	lost    bool
	strayed int
	// moved reports that a collection began after the threads were listed.
	moved bool
	// began is the epoch at the listing.
	began Epoch
	// polls is how often a collection was waited for.
	polls int
	// done are indices of result.Threads by id, seen the addresses of this round.
	done map[int64]int
	seen map[uint64]bool
	// relocated reports that objects have moved since the last round, threads that are done and what they refer to too.
	relocated bool
	// deadline is when reading ends whatever is missing, left how many bytes may still be read; exceeded is which of
	// the two was not enough, empty if both were.
	deadline time.Time
	left     int
	limit    Limit
	exceeded string
	// batchLeft is how many bytes of frames may be read for this batch, linesLeft and namesLeft what may be kept.
	batchLeft, linesLeft, namesLeft int
	// blocks are memory for what is read of one batch, free what is left of the last one in use, used how many are.
	blocks [][]byte
	used   int
	free   []byte
	// inScopes is how many threads of scopes were listed.
	inScopes int
	// scanLeft is for how long the heap may be searched.
	scanLeft   time.Duration
	containers map[Container]int
	// stacks are indices of result.Stacks by the bytes of their keys, kinds what each proves.
	stacks map[string]int32
	kinds  []stackKind
	code   map[uint64]*CodeFrame
	// unknown reports that a frame had no code: it may have been compiled since code was first read.
	unknown bool
	keys    []Key
	buffer  []byte
	// pieces, their index, proofs, threads and their stacks are those of the last reading: their memory is used again.
	pieces    []vm.Piece
	index     []int
	proofs    []proof
	threads   []Thread
	unmounted []unmountedStack
}

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

const (
	// largeBatch threads are read at once of a process that stands still. Of one that runs it is smallBatch, since all
	// threads of a batch must stand still until all of it was read again.
	largeBatch, smallBatch = 1 << 12, 1 << 8
	// mostRounds bounds how often the threads are listed, patientRounds how often a thread is waited for that moves.
	mostRounds, patientRounds = 20, 4
	// attempts is how often a single thread is read that moves.
	attempts = 8
	// collectionPoll is the time between two readings of whether a collection stops the program, mostPolls how many.
	collectionPoll, mostPolls = 2 * time.Millisecond, 500
	// mostDoublings bounds how often the pause between two rounds is doubled.
	mostDoublings = 4
)

// Read reads all virtual threads. Without any, or on a JDK before 21, it returns nothing. An error means that this JDK
// cannot be read.
func Read(jvm JVM, limit Limit) (*Threads, error) {
	if !Used(jvm) {
		return &Threads{}, nil
	}
	l, err := bind(jvm)
	if err != nil {
		return nil, err
	}
	r := &reader{
		jvm: jvm, layout: l, in: jvm.Interpreted(), stopped: jvm.Stopped(),
		result: &Threads{Containers: []Container{{}}},
		done:   map[int64]int{}, containers: map[Container]int{},
		stacks: map[string]int32{}, code: map[uint64]*CodeFrame{}, limit: limit,
	}
	r.deadline, r.left = time.Now().Add(limit.Base), baseBytes
	r.linesLeft, r.namesLeft, r.scanLeft = mostLines, mostNames, longestScan
	r.rounds()
	slices.SortFunc(r.result.Threads, func(a, b *Thread) int { return cmp.Compare(a.ID, b.ID) })
	r.result.Parallelism = r.parallelism()
	r.result.reader = r
	return r.result, jvm.Err()
}

// rounds lists and reads the threads until no collection came in between: then addresses were right. After the first
// time only those are read that were not.
func (r *reader) rounds() {
	for round := 0; round < mostRounds && r.jvm.Err() == nil; round++ {
		r.awaitCollection()
		r.jvm.Refresh()
		r.relocated = r.moved
		r.began, r.moved, r.lost, r.strayed = r.jvm.Epoch(), false, false, 0
		r.seen = map[uint64]bool{}
		patient := round < patientRounds
		r.readFound(r.all(), patient)
		r.readFound(r.scopedOfPlatform(), patient)
		r.readScoped(patient)
		if r.exceeded != "" {
			r.result.Missing = r.exceeded
			return
		}
		// Nothing proves a list of which the nodes move while it is read: it is read twice.
		once := round == 0 && r.jvm.Movement() != InPauses
		whole := !r.moved && !r.lost && r.strayed == 0
		if whole && !once || r.stopped {
			break
		}
		if !patient && !r.moved { // where objects are may not be known until a phase of the collector ends
			time.Sleep(collectionPoll << min(round-patientRounds, mostDoublings))
		}
	}
	r.noteMissing()
}

// noteMissing notes why threads may be missing after the last round.
func (r *reader) noteMissing() {
	switch {
	case r.jvm.Err() != nil || r.result.Missing != "":
	case r.moved:
		r.result.Missing = "collections came again and again"
	case r.lost || r.strayed > 0:
		r.result.Missing = "some were not where the JDK's lists have them"
	}
}

// readScoped reads the threads of the scopes that virtual threads have opened, those of many scopes at once.
func (r *reader) readScoped(patient bool) {
	listed := 0
	for from := 0; from < len(r.result.Threads) && !r.over() && !r.moved; { // it grows
		var all []found
		for ; from < len(r.result.Threads) && len(all) < smallBatch; from++ {
			if scope := r.result.Threads[from].scopes; scope != 0 {
				all = append(all, r.scoped(r.jvm.Current(scope))...)
			}
		}
		if listed += len(all); listed > r.inScopes {
			r.grant(listed - r.inScopes)
			r.inScopes = listed
		}
		r.readFound(all, patient)
	}
}

// grant allows time and bytes for more threads that were listed.
func (r *reader) grant(threads int) {
	r.deadline = r.deadline.Add(time.Duration(threads) * r.limit.PerThread)
	r.left += threads * threadBytes
}

// all are the threads that the JDK keeps, or, where it does not track them, those in the heap.
func (r *reader) all() []found {
	listed := r.list()
	if r.layout.tracked == 0 {
		scanned, ok := r.scan()
		listed = append(listed, scanned...)
		if !ok {
			r.result.Missing = "the JVM does not track its virtual threads (jdk.trackAllThreads=false)"
		}
	}
	if n := len(listed) - r.result.Found; n > 0 {
		r.grant(n)
		r.result.Found += n
	}
	if len(r.done) == 0 {
		r.done, r.result.Threads = make(map[int64]int, len(listed)), make([]*Thread, 0, len(listed))
	}
	return listed
}

// awaitCollection waits while a collection stops the program: nothing is where it was, and nothing else moves. That
// time does not count as reading.
func (r *reader) awaitCollection() {
	for r.polls < mostPolls && !r.stopped && r.jvm.Epoch().Active && r.jvm.Err() == nil {
		time.Sleep(collectionPoll)
		r.deadline = r.deadline.Add(collectionPoll)
		r.polls++
	}
}

// collected reports that objects may have moved since the threads were listed.
func (r *reader) collected() bool {
	if r.stopped || r.jvm.Movement() != InPauses {
		return false
	}
	now := r.jvm.Epoch()
	return now.Active || now != r.began
}

// readFound reads the threads at some addresses, each address once in a round.
func (r *reader) readFound(all []found, patient bool) {
	if len(r.seen) == 0 {
		r.seen = make(map[uint64]bool, len(all))
	}
	all = slices.DeleteFunc(all, func(f found) bool {
		known := r.seen[f.at]
		r.seen[f.at] = true
		return known
	})
	slices.SortFunc(all, func(a, b found) int { return cmp.Compare(a.at, b.at) })
	size := smallBatch
	if r.stopped {
		size = largeBatch
	}
	for len(all) > 0 && !r.moved && !r.over() {
		n := min(size, len(all))
		r.readBatch(all[:n], patient)
		all = all[n:]
	}
}

// over reports that nothing more may be read: a limit is reached.
func (r *reader) over() bool {
	switch {
	case r.exceeded != "":
	case time.Now().After(r.deadline):
		r.exceeded = tooLong
	case r.left < 0:
		r.exceeded = tooMuch
	}
	return r.exceeded != "" || r.jvm.Err() != nil
}

// room is memory until the next reuse. It is not cleared.
func (r *reader) room(size int) []byte {
	if size > blockBytes {
		return make([]byte, size)
	}
	if size > len(r.free) {
		if r.used == len(r.blocks) {
			r.blocks = append(r.blocks, make([]byte, blockBytes))
		}
		r.free = r.blocks[r.used]
		r.used++
	}
	b := r.free[:size:size]
	r.free = r.free[size:]
	return b
}

// reuse lets the memory that room has given be used again: nothing that was read until now is needed any more.
func (r *reader) reuse() { r.free, r.used = nil, 0 }

// affords reports whether so many bytes may be read.
func (r *reader) affords(bytes int) bool {
	if bytes > r.left {
		r.exceeded = tooMuch
	}
	return bytes <= r.left
}

// read reads pieces of memory.
func (r *reader) read(pieces []vm.Piece) {
	for i := range pieces {
		r.left -= len(pieces[i].Bytes)
	}
	r.jvm.Read(pieces)
}

// parallelism is that of the default scheduler.
func (r *reader) parallelism() int {
	if r.layout.scheduler == 0 {
		return 0
	}
	pool := r.static(r.layout.scheduler)
	c := r.jvm.Class(poolClass)
	if pool == 0 || c == nil {
		return 0
	}
	at, ok := c.Fields["parallelism"]
	if !ok {
		return 0
	}
	return r.jvm.Int(pool + at)
}
