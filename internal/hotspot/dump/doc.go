// Package dump is a thread dump that was read from memory, as values.
//
//	dump.go             the dump
//	text*.go            its text, as package threaddump reads it
//	cycles.go           threads that wait for each other, and whether they did at one moment
//	locate.go           where the threads are that hold locks
package dump
