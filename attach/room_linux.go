package attach

import "golang.org/x/sys/unix"

// wantLargePages asks the kernel for large pages behind b: advice, which it may not
// be able to follow.
func wantLargePages(b []byte) { _ = unix.Madvise(b, unix.MADV_HUGEPAGE) }
