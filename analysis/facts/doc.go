// Package facts is all that detectors may use: the facts of one JVM, each package of them over the one below.
package facts
