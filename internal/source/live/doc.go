// Package live is the source that asks a running JVM.
package live
