// Package analysis turns observations of one JVM over time into findings. It is pure and deterministic: no I/O, no
// clock, no socket; the same observations give the same report, byte by byte.
//
// The packages below it, from the lowest to the highest, import only those before them:
//
//   - stack: what one stack says
//   - finding: findings and the words that all kinds share
//   - timeline: the dumps in order, each thread over them
//   - facts/*: who waits for whom, executors, pooled things, I/O, CPU, memory; facts is all of them
//   - detect/*: a package for each kind of finding, which knows no other; detectors.go lists them
//
// This package itself reads a Series, runs the detectors, says what explains what, and gives the
// verdict and the rows of the report.
package analysis
