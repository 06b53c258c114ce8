// Package rewrite copies a flight recording with other texts: those of its events, of its constants, and of what
// describes them. All else stays as it is, byte by byte, but for what says where things are.
package rewrite
