//go:build !unix

package shell

import "time"

// OwnCPU is unknown on this system.
func OwnCPU() time.Duration { return 0 }
