// Package classes lists the classes that a HotSpot JVM has loaded.
//
//	classes.go, loaders.go  the lists of classes, and their loaders
//	calls.go, counts.go     which methods were called, and how often
//	inlined.go              which may have run as a part of compiled code
package classes
