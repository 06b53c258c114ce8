// Package timeline puts the dumps of one JVM in order and follows each thread over them: what it did, stood at
// and used.
package timeline
