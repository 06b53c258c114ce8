// Package facts reads what a flight recording says of a JVM: its thread dumps as texts, each with its time, and
// what its events add up to ([flight.Recording]).
//
// A [Reader] reads the file once, chunk by chunk. Its memory is bound by the largest chunk and by the bounds of the
// sums: events are added up as they come. One file of this package reads one kind of event; events.go lists them.
package facts
