// Package metaspace finds classes loaded without end.
package metaspace
