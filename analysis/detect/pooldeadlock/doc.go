// Package pooldeadlock finds executors that wait for themselves.
package pooldeadlock
