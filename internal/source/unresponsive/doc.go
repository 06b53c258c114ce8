// Package unresponsive reads what /proc and the counters show of a JVM that is not asked or does not answer.
package unresponsive

import "github.com/jstall/jstall/internal/capture"

// Pulse is forwarded until its code is here.
type Pulse = capture.Pulse

// Pulses is forwarded until its code is here.
type Pulses = capture.Pulses

// Unasked is forwarded until its code is here.
func Unasked(pid int, code string, cause string) error { return capture.Unasked(pid, code, cause) }
