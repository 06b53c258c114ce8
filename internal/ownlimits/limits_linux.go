package ownlimits

import "syscall"

const (
	leastFiles = 16
	leastData  = 256 << 20  // bytes
	leastSpace = 2047 << 20 // bytes, as Go's runtime reserves more than it uses
)

// tooLow is the error message for a limit of this process that is too low for it, or empty. Package os has raised the
// soft limit on files to the hard one before.
func tooLow() string {
	if limit(syscall.RLIMIT_NOFILE) < leastFiles {
		return "this process may open fewer than 16 files (ulimit -n)\n  hint: raise the limit: ulimit -n 1024"
	}
	if limit(syscall.RLIMIT_DATA) < leastData || limit(syscall.RLIMIT_AS) < leastSpace {
		return "this process may use too little memory: less than 2 GB of address space (ulimit -v) or 256 MB of " +
			"data (ulimit -d)\n  hint: ulimit -v unlimited -d unlimited"
	}
	return ""
}

// limit is the soft limit on a resource. A limit that cannot be read counts as none.
func limit(resource int) uint64 {
	var l syscall.Rlimit
	if err := syscall.Getrlimit(resource, &l); err != nil {
		return ^uint64(0)
	}
	return l.Cur
}
