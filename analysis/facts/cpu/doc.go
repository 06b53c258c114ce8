// Package cpu tells which threads use CPU, want it, or ask again and again.
package cpu
