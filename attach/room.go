package attach

import "unsafe"

const (
	// firstRead is the buffer an answer starts in, that of some 60 threads.
	firstRead = 64 << 10
	// perThread is the room for a thread's part of a dump, that of some 16 frames;
	// mostRoom bounds the room made before the answer is seen.
	perThread, mostRoom = 1536, 32 << 20
)

// makeRoom returns an empty buffer for the answer of a JVM with so many threads.
// Three quarters of its memory, which most answers fill, are touched, so that the kernel
// finds it while the JVM is still at work and not page by page while it writes; in large
// pages, where the kernel has some, that takes a fifth of the time.
func makeRoom(threads int) []byte {
	const page = 4 << 10
	room := aligned(min(max(firstRead, threads*perThread), mostRoom))
	wantLargePages(room)
	for i := 0; i < len(room)/4*3; i += page {
		room[i] = 0
	}
	return room[:0]
}

// aligned returns n bytes, rounded up to what large pages hold if they fill one.
func aligned(n int) []byte {
	const large = 2 << 20
	if n < large {
		return make([]byte, n)
	}
	n = (n + large - 1) / large * large
	b := make([]byte, n+large)
	before := -uintptr(unsafe.Pointer(&b[0])) % large
	return b[before:][:n:n]
}
