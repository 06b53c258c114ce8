package hotspot

import (
	"encoding/binary"
	"slices"
)

const (
	// maxThreads bounds the list of threads; Linux allows fewer in one process by default.
	maxThreads = 1 << 18
)

// threadList are the addresses of the JVM's threads, oldest first. moved tells that the list
// changed each time it was read, and that the last reading may be wrong.
func (r *vmReader) threadList() (threads []uint64, moved bool) {
	for range attempts {
		var same bool
		if r.threads.list != 0 {
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
func (r *vmReader) threadArray() (threads []uint64, same bool) {
	l := &r.threads
	list := r.freshWord(l.list)
	var length [4]byte
	r.fresh(list+l.length, length[:])
	n := min(int(binary.LittleEndian.Uint32(length[:])), maxThreads)
	words := make([]byte, n*wordSize)
	if !r.fresh(r.freshWord(list+l.array), words) {
		return nil, n == 0
	}
	for w := range slices.Chunk(words, wordSize) {
		threads = append(threads, binary.LittleEndian.Uint64(w))
	}
	return threads, r.freshWord(l.list) == list
}

// threadChain follows the links from the newest thread to the oldest, on 8 and 11. A thread that
// ended takes its link with it; the kernel's list of threads and a second walk tell.
func (r *vmReader) threadChain() (threads []uint64, same bool) {
	first := r.chain()
	second := r.chain()
	slices.Reverse(second)
	slices.Reverse(first)
	if r.major == 8 { // dumps of 8 begin with the newest thread
		slices.Reverse(first)
	}
	return first, len(first) == len(second)
}

func (r *vmReader) chain() []uint64 {
	var threads []uint64
	seen := map[uint64]bool{}
	at := r.freshWord(r.threads.first)
	for at != 0 && !seen[at] && len(threads) < maxThreads {
		seen[at] = true
		threads = append(threads, at)
		at = r.freshWord(at + r.threads.next)
	}
	return threads
}

func (r *vmReader) freshWord(at uint64) uint64 {
	var b [wordSize]byte
	r.fresh(at, b[:])
	return binary.LittleEndian.Uint64(b[:])
}

const (
	// attempts is how often a list or a stack is read that changes meanwhile.
	attempts = 4
)
