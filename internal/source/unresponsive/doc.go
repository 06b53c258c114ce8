// Package unresponsive reads the facts of /proc and the counters about a JVM that is not asked or does not answer.
package unresponsive
