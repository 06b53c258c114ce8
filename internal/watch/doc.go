// Package watch detects that a JVM is in trouble, and keeps a recording of the time before.
//
// For each JVM it takes pulses (a few figures of /proc and the JVM's counters, every 400 ms) and readings (threads,
// stacks and locks), keeps the readings in a ring, and asks the [Trigger]s after each. When the condition of a
// trigger begins to hold, it writes the ring to a recording and reports the event in a line of JSON. Later it replaces
// the recording by one that has the time after the event too. A [Group] does so for all JVMs that match, as they start
// and end.
//
// Triggers, the ring, limits and budget are pure: the time is passed in.
package watch
