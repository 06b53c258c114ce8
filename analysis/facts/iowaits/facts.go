package iowaits

import (
	"jstall/analysis/facts/pools"
	"jstall/analysis/timeline"
)

// Waits are the threads in input and output.
type Waits struct {
	*pools.Pools
	// wanted are threads that wait for what others bring, nil until asked for.
	wanted *wants
	// inIOWaits are the threads that stand in I/O, workersInIO those of them that work for an
	// executor; nil until asked for.
	inIOWaits   *[]Waiter
	WorkersInIO map[*pools.Pool][]Waiter
	// httpSide is what the connections of HttpClients have in common, nil until asked for.
	httpSide *timeline.Task
}

// wants are the threads that wait, over the whole capture, for what others bring.
type wants struct {
	// results are those of the program that want one, libraryResults those that want one in
	// a library; joiners wait without end for another thread's end; byHand are the callers
	// of a hand-made pool.
	Results, LibraryResults, joiners, ByHand []*timeline.History
}
