package vthread

import (
	"cmp"
	"slices"
	"time"

	"github.com/jstall/jstall/internal/order"
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

// reader reads the threads until what was read is from the same moment.
type reader struct {
	*objectReader
	listReader
	stackReader
	result *Threads
	// strayed is how many threads were not where a list had them.
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
	// namesLeft is how many bytes of names may be kept.
	namesLeft int
	// inScopes is how many threads of scopes were listed.
	inScopes int
	// scanLeft is for how long the heap may be searched.
	scanLeft time.Duration
	// threads are those of the last reading: their memory is used again.
	threads []Thread
}

const (
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
	objects := &objectReader{jvm: jvm, layout: l, stopped: jvm.Stopped(), limit: limit}
	result := &Threads{Containers: []Container{{}}}
	r := &reader{
		objectReader: objects, result: result, done: map[int64]int{}, namesLeft: mostNames, scanLeft: longestScan,
		listReader: listReader{objects, map[Container]int{}, &result.Containers},
		stackReader: stackReader{
			objectReader: objects, in: jvm.Interpreted(), lines: &result.Stacks, stacks: map[string]int32{},
			code: map[uint64]*CodeFrame{}, linesLeft: mostLines,
		},
	}
	r.deadline, r.left = time.Now().Add(limit.Base), baseBytes
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
	order.Sort(all, func(a, b found) int { return cmp.Compare(a.at, b.at) })
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
