// Package object reads the objects of a HotSpot JVM: their classes, references and strings.
//
//	classes.go, modules.go  classes: names, superclasses, fields, modules
//	heap.go, zgc.go         references under each collector, and where an object is now
//	epoch.go                whether objects may have moved
//	fields.go, strings.go   fields by name, text
//	collections.go          elements of arrays and of the JDK's collections
package object
