// Package pools finds executors by their workers, and who waits for their results.
package pools
