// Package unresponsive reads what /proc and the counters show of a JVM that is not asked or does not answer.
package unresponsive
