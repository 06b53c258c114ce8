// Package memory tells what collections cost, and how old the JVM is.
package memory
