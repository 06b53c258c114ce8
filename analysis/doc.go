// Package analysis turns observations of one JVM over time into findings. It is pure and deterministic: no I/O, no
// clock, no socket; the same observations give the same report, byte by byte.
//
// The packages below it, from the lowest to the highest, import only those before them:
//
//   - stack: the operation, origin and root of a single stack
//   - finding: findings, and text that all kinds share
//   - timeline: the dumps in order, and each thread over them
//   - facts/*: who waits for whom, executors, pooled objects, I/O, CPU, memory; package facts joins them
//   - detect/*: a package for each kind of finding, which knows no other; detectors.go lists them
//
// This package itself reads a Series, runs the detectors, finds out which finding explains which, and makes the verdict
// and the rows of the report.
package analysis
