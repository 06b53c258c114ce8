// Package memory reads the memory of a running JVM.
package memory

import "github.com/jstall/jstall/internal/capture"

// Error is forwarded until its code is here.
type Error = capture.MemoryError
