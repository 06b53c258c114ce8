// Package loops tells threads that alone serve others: event loops, dispatchers, timers.
package loops
