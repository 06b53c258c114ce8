// Package virtual reads the virtual threads of a HotSpot JVM as a part of a dump. Package vthread finds and reads them.
//
//	jvm.go, classes.go, waits.go  what package vthread needs of the JVM
//	virtual.go, rest.go           what it has read, with the frames on the stacks of carriers
//	joins.go, init.go, selves.go  what threads wait for that no lock shows
package virtual
