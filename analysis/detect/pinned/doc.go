// Package pinned finds virtual threads that keep their carrier.
package pinned
