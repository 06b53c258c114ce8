// Package spin finds threads that ask again and again.
package spin
