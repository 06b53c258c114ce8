// Package heapgrowth finds a growing heap.
package heapgrowth
