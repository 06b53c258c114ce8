// Package locks says who waits for whom: owners as printed, concluded or carried over from another dump, joins, class
// initialisers, and the cycles of these.
package locks
