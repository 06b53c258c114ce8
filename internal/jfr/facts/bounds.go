package facts

// Bounds of what a file may claim: a year that clocks reach, in nanoseconds, and a day, in milliseconds.
const (
	maxTime = 1 << 62
	maxZone = 24 * 3_600_000
)

// Bounds of what is handed on of each kind: more would not be read.
const (
	mostThings  = 50
	mostThreads = 20
	mostMethods = 100
)

// maxThings bounds what is distinguished over a whole recording.
const maxThings = 1 << 17
