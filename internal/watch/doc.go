// Package watch tells when a JVM gets into trouble, and keeps what it did before.
//
// A [JVM] takes pulses (what /proc and the counters tell, every 400 ms) and readings (threads, stacks and locks) of
// one JVM, keeps them in a [Ring], and asks the [Trigger]s after each. When the condition of a trigger begins to hold
// it writes a recording of the ring, tells of the event in a line of JSON, and replaces the recording by one with the
// time after the event. A [Group] does so for all JVMs that words name, as they come and go.
//
// Triggers, the ring, limits and budget are pure: the time is passed in.
package watch
