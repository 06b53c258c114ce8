// Package memory reads the memory of a running JVM.
package memory
