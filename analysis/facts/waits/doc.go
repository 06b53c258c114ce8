// Package waits groups threads by what they wait for.
package waits
