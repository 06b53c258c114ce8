// Package dumptest writes dumps for tests: threads by name, stack, state and locks, put into observations at seconds
// of a capture. Tests import it with a dot, so that a dump reads as a list of its threads.
package dumptest
