// Package threadleak finds threads that come and do not go.
package threadleak
