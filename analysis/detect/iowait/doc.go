// Package iowait finds threads that stand in I/O.
package iowait
