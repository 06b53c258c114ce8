package kernel

import "testing"

// FuzzQueues holds that no answer of the kernel is read beyond its end.
func FuzzQueues(f *testing.F) {
	const size = 16 + 72
	one := make([]byte, size)
	one[0], one[4], one[16+56] = size, 20, 1
	f.Add(one)
	f.Add(append(one, 20, 0, 0, 0, 3, 0))
	f.Add([]byte{8, 0, 0, 0})
	f.Fuzz(func(t *testing.T, answer []byte) {
		sockets := 0
		socketsIn(answer, func(body []byte) bool { sockets++; return true })
		if sockets*size > len(answer)+3 {
			t.Errorf("%d sockets in %d bytes", sockets, len(answer))
		}
	})
}
