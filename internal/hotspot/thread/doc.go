// Package thread reads the platform threads of a HotSpot JVM.
//
//	thread.go              what is known of a thread
//	read.go, still.go      one thread; what must not have changed meanwhile
//	recheck.go             code that has changed since it was read
//	running.go             threads that run, from samples of their registers
//	monitors.go            locks under frames, and who owns them
package thread
