// Package iowaits tells the threads that stand in I/O, what the other end is, and who waits for them.
package iowaits
