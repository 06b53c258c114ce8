// Package deadlock finds threads that wait for each other.
package deadlock
