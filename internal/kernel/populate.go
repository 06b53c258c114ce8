package kernel

// pageSize is the smallest page there is.
const pageSize = 4 << 10

// touch writes to every page of b, which must be zero.
func touch(b []byte) {
	for i := 0; i < len(b); i += pageSize {
		b[i] = 0
	}
}
