//go:build unix

package shell

import (
	"syscall"
	"time"
)

// OwnCPU is the CPU time this process used so far.
func OwnCPU() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
