//go:build linux && (amd64 || arm64)

package main

// Go's runtime ends with code 2, which means a deadlock here, where it cannot start its
// threads, reserve its memory or open its files, and that is before any code in Go runs. A
// release is therefore linked to begin at entry (-ldflags "-E main.entry"), which checks the
// limits of this process first and ends it with code 1 and one of these messages. Whether there
// is room for threads is tried: entry starts tasks that wait for one another and end at once,
// so whatever limit there is counts (RLIMIT_NPROC, pids.max of a control group, threads-max).
var (
	noTasks = "jstall: this process cannot start 12 threads: a limit is reached (ulimit -u, pids.max of the control " +
		"group, kernel.threads-max)\n" +
		"  hint: raise the limit, or run jstall outside of this container or as another user\n"
	noFiles = "jstall: this process may open fewer than 16 files (ulimit -n)\n  hint: raise the limit: ulimit -n 1024\n"
	noSpace = "jstall: this process may use too little memory: less than 2 GB of address space (ulimit -v) or 256 " +
		"MB of data (ulimit -d)\n" +
		"  hint: ulimit -v unlimited -d unlimited\n"
)

// entry alone uses them.
var _, _, _ = noTasks, noFiles, noSpace
