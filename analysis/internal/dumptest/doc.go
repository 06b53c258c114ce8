// Package dumptest makes dumps for tests: threads with a name, stack, state and locks, as observations at seconds of a
// capture. Tests import it with a dot, so that a dump reads as a list of its threads.
package dumptest
