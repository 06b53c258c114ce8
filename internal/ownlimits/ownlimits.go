// Package ownlimits checks the limits of this process when the program starts. A program imports it for this effect
// alone. It imports nothing but the standard library, so that Go initializes it before every package that opens a file
// when it is initialized.
//
// Where a limit is so low that the Go runtime itself cannot start (four threads, one gigabyte of address space, or less
// memory for data), the runtime ends the process with its own error message and exit code 2, before any code of ours.
package ownlimits

import (
	"os"
	"runtime/debug"
)

func init() {
	// a fatal error of the runtime ends the process with SIGABRT: exit code 2, Go's default, means a deadlock here
	debug.SetTraceback("crash")
	if problem := tooLow(); problem != "" {
		_, _ = os.Stderr.WriteString("jstall: " + problem + "\n")
		os.Exit(1)
	}
}
