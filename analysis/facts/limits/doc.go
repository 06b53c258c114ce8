// Package limits tells what the kernel bounds of a process, and how much of it is used.
package limits
