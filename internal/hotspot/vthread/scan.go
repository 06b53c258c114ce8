package vthread

import (
	"slices"
	"time"

	"github.com/jstall/jstall/internal/hotspot/vm"
)

const (
	// scanPiece is how many bytes of the heap are read at a time.
	scanPiece = 1 << 20
	// longestScan bounds the time for which the heap is searched, in all rounds: a second is enough for some GB.
	longestScan = 5 * time.Second
)

// scan looks for virtual threads in all memory of the heap, for programs that do not track them. It also finds threads
// that nothing refers to any more. An object counts if the task of its continuation refers back to it. What was read is
// not counted as that of threads, nor the time. It is false if this heap cannot be searched whole.
func (r *reader) scan() (_ []found, whole bool) {
	if !r.jvm.Scannable() {
		return nil, false
	}
	began := time.Now()
	defer func() {
		took := time.Since(began)
		r.scanLeft, r.deadline = r.scanLeft-took, r.deadline.Add(took)
	}()
	end := began.Add(r.scanLeft)
	low, high := r.jvm.Reserved()
	var all []uint64
	buffer := make([]byte, scanPiece+2*wordSize)
	for _, part := range r.jvm.Readable(low, high) {
		for at := part[0]; at < part[1] && r.jvm.Err() == nil; at += scanPiece {
			if time.Now().After(end) {
				return r.confirmed(all), false
			}
			all = append(all, r.scanPart(at, part[1], buffer)...)
		}
	}
	return r.confirmed(all), true
}

func (r *reader) scanPart(at, end uint64, buffer []byte) []uint64 {
	b := buffer[:min(uint64(len(buffer)), end-at)]
	pieces := []vm.Piece{{At: at, Bytes: b}}
	if r.jvm.Read(pieces); !pieces[0].OK {
		return nil
	}
	var all []uint64
	for i := uint64(0); i < scanPiece && i+2*wordSize <= uint64(len(b)); i += wordSize {
		if r.jvm.ClassIn(b[i:]) == r.layout.virtual {
			all = append(all, at+i)
		}
	}
	return all
}

// confirmed are the addresses of threads whose continuation's task refers back to them.
func (r *reader) confirmed(addresses []uint64) []found {
	var confirmed []found
	for some := range slices.Chunk(addresses, largeBatch) {
		confirmed = append(confirmed, r.confirmedOf(some)...)
	}
	return confirmed
}

func (r *reader) confirmedOf(addresses []uint64) []found {
	all := make([]found, len(addresses))
	for i, at := range addresses {
		all[i] = found{at: at}
	}
	heads := r.heads(all)
	threads := make([]*Thread, len(heads))
	for i := range heads {
		threads[i] = &heads[i]
	}
	stacks := r.continuations(threads)
	tasks := make([]uint64, len(stacks))
	for i := range stacks {
		tasks[i] = stacks[i].task
	}
	objects := r.objects(tasks, r.layout.taskSize)
	confirmed := all[:0]
	for i, t := range threads {
		b := objects.of(i)
		back := objects.ok[i] && r.jvm.ClassIn(b) == r.layout.task &&
			r.jvm.Current(r.reference(b, r.layout.taskThread)) == t.Object
		if back && t.State != "" && int(t.raw) != r.layout.terminated {
			confirmed = append(confirmed, found{at: t.Object})
		}
	}
	return confirmed
}
