// Package samecall finds many threads in one call.
package samecall
