package vm

import (
	"encoding/binary"
	"slices"
)

const (
	// maxThreads bounds the list of threads; Linux allows fewer in one process by default.
	maxThreads = 1 << 18
)

// ThreadList are the addresses of the JVM's threads, oldest first. moved reports that the list
// changed each time it was read, and that the last reading may be wrong.
func (r *Reader) ThreadList() (threads []uint64, moved bool) {
	for range Attempts {
		var same bool
		if r.Threads.List != 0 {
			threads, same = r.threadArray()
		} else {
			threads, same = r.threadChain()
		}
		if same {
			return threads, false
		}
	}
	return threads, true
}

// threadArray reads the ThreadsList that is current on 17 and newer (runtime/threadSMR.hpp). A
// list is freed soon after it is replaced: it is right if it is still current afterwards.
func (r *Reader) threadArray() (threads []uint64, same bool) {
	l := &r.Threads
	list := r.FreshWord(l.List)
	var length [4]byte
	r.Fresh(list+l.length, length[:])
	n := min(int(binary.LittleEndian.Uint32(length[:])), maxThreads)
	words := make([]byte, n*WordSize)
	if !r.Fresh(r.FreshWord(list+l.array), words) {
		return nil, n == 0
	}
	for w := range slices.Chunk(words, WordSize) {
		threads = append(threads, binary.LittleEndian.Uint64(w))
	}
	return threads, r.FreshWord(l.List) == list
}

// threadChain follows the links from the newest thread to the oldest, on 8 and 11. A thread that
// ended takes its link with it; the kernel's list of threads and a second walk tell.
func (r *Reader) threadChain() (threads []uint64, same bool) {
	first := r.chain()
	second := r.chain()
	slices.Reverse(second)
	slices.Reverse(first)
	if r.Major == 8 { // dumps of 8 begin with the newest thread
		slices.Reverse(first)
	}
	return first, len(first) == len(second)
}

func (r *Reader) chain() []uint64 {
	var threads []uint64
	seen := map[uint64]bool{}
	at := r.FreshWord(r.Threads.first)
	for at != 0 && !seen[at] && len(threads) < maxThreads {
		seen[at] = true
		threads = append(threads, at)
		at = r.FreshWord(at + r.Threads.next)
	}
	return threads
}

func (r *Reader) FreshWord(at uint64) uint64 {
	var b [WordSize]byte
	r.Fresh(at, b[:])
	return binary.LittleEndian.Uint64(b[:])
}

const (
	// Attempts is how often a list or a stack is read that changes meanwhile.
	Attempts = 4
)
