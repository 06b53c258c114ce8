// Package flight holds what a flight recording shows of one JVM in addition to its thread dumps: sums over the recorded
// events and when they were, ready to be judged. It is plain data, made once by the reader of recordings and never
// changed.
//
// Moments ([Moment]) are in nanoseconds since 1970, in UTC; [Recording.Clock] words them in the time zone of the JVM.
package flight

import "time"

// Recording is what the events of a flight recording tell. A part whose events were not recorded is zero: nothing may
// be concluded from that.
type Recording struct {
	// Begin and End are those of the recording.
	Begin Moment `json:"begin"`
	End   Moment `json:"end"`
	// Zone is how far the local time of the JVM was ahead of UTC, in seconds.
	Zone int `json:"zone"`
	JVM  JVM `json:"jvm"`
	// Writer is what wrote the recording if that was not the JVM: "async-profiler".
	Writer string `json:"writer,omitempty"`
	// Dumps counts the thread dumps in the recording.
	Dumps int `json:"dumps"`
	// Settings are those of the events that are read, by the name of the event without "jdk.".
	Settings map[string]Setting `json:"settings"`

	// Monitors are the waits to enter monitors, Locks those for locks of java.util.concurrent, the longest total first.
	Monitors []Waits `json:"monitors,omitempty"`
	Locks    []Waits `json:"locks,omitempty"`
	// Pinned are the waits of virtual threads that kept their carriers.
	Pinned Waits `json:"pinned"`
	// Replies are reads of sockets by libraries that the application called, by the other end; Files are reads of
	// files, by path.
	Replies []Waits `json:"replies,omitempty"`
	Files   []Waits `json:"files,omitempty"`
	// Pauses are those of garbage collections, Safepoints the time that threads took to come to a safepoint.
	Pauses     Stops `json:"pauses"`
	Safepoints Stops `json:"safepoints"`
	// Kept is the share of the largest heap, 0 to 1, that was in use after each full collection.
	Kept []Point `json:"kept,omitempty"`
	// HeapMax is the largest size of the heap in bytes, 0 if it is unknown.
	HeapMax int64 `json:"heapMax,omitempty"`
	// OwnCPU is the share of the CPUs that the process used, AllCPU the share that all processes used, 0 to 1, at the
	// same moments.
	OwnCPU []Point `json:"ownCpu,omitempty"`
	AllCPU []Point `json:"allCpu,omitempty"`
	// Throttled is the share of the time whose periods the CPU quota of the container cut short, in seconds.
	Throttled Series `json:"throttled"`
	// Methods are the samples of running threads, by the place in the application, the most frequent first. Samples
	// counts all of them.
	Methods []Method `json:"methods,omitempty"`
	Samples int64    `json:"samples,omitempty"`
	// Thrown is how many exceptions and errors were made, over time. Throws are those that were recorded one by one.
	Thrown Series  `json:"thrown"`
	Throws []Throw `json:"throws,omitempty"`
	// Memory are the errors that tell of memory that ran out.
	Memory []Throw `json:"memory,omitempty"`
	// Threads is the number of live Java threads.
	Threads []Point `json:"threads,omitempty"`
}

// JVM is what a recording has about the process.
type JVM struct {
	Name    string `json:"name,omitempty"`
	Version string `json:"version,omitempty"`
	// Main is the main class or jar, without its arguments.
	Main string `json:"main,omitempty"`
	PID  int    `json:"pid,omitempty"`
	// Started is when the process began, 0 if it is unknown.
	Started Moment `json:"started,omitempty"`
	// CPUs is how many the JVM may use, 0 if it is unknown.
	CPUs int `json:"cpus,omitempty"`
}

// Setting is how an event was recorded. An event without a known setting was not recorded, as far as is known.
type Setting struct {
	Enabled bool `json:"enabled"`
	// Threshold is the shortest duration that was recorded, Period how often: as they were written, "20 ms".
	Threshold string `json:"threshold,omitempty"`
	Period    string `json:"period,omitempty"`
}

// Waits are the waits of threads for one thing.
type Waits struct {
	// Class is that of a lock; Address that of a monitor within the JVM; Peer "db:5432" or a path.
	Class   string `json:"class,omitempty"`
	Address uint64 `json:"address,omitempty"`
	Peer    string `json:"peer,omitempty"`
	Spans
	// Waiters are the threads that waited, Owners those that held it before, Places where they waited: each with the
	// longest total first, and at most 20. Threads counts all waiters.
	Waiters []Thread `json:"waiters,omitempty"`
	Owners  []Thread `json:"owners,omitempty"`
	Places  []Place  `json:"places,omitempty"`
	Threads int      `json:"threads,omitempty"`
}

// Spans are events that last.
type Spans struct {
	Count   int64         `json:"count,omitempty"`
	Total   time.Duration `json:"total,omitempty"`
	Longest time.Duration `json:"longest,omitempty"`
	// LongestAt is when the longest began.
	LongestAt Moment `json:"longestAt,omitempty"`
	// Seconds is how many seconds they took, over time: of several threads together more than the time has.
	Seconds Series `json:"seconds"`
}

// Stops are times in which the whole JVM was stopped.
type Stops struct {
	Spans
	// Cause is that of the longest one: "G1Old, Allocation Failure". Causes are all of them, the longest total first.
	Cause  string  `json:"cause,omitempty"`
	Causes []Cause `json:"causes,omitempty"`
}

// Cause is why the JVM was stopped.
type Cause struct {
	Name  string        `json:"name"`
	Total time.Duration `json:"total"`
	Count int64         `json:"count"`
}

// Thread is one thread in a sum.
type Thread struct {
	Name string `json:"name"`
	// ID is that of Java, 0 if it has none.
	ID    int64         `json:"id,omitempty"`
	Total time.Duration `json:"total"`
	// Place is where it waited longest, the zero Place if that is not known.
	Place Place `json:"place"`
}

// Place is a line of code.
type Place struct {
	// Frame is "com.acme.Orders.place": the innermost of the application, else of a library, else of the JDK.
	Frame string        `json:"frame,omitempty"`
	Line  int           `json:"line,omitempty"`
	Total time.Duration `json:"total,omitempty"`
}

// Method is a place that running threads were sampled at.
type Method struct {
	Place
	// Samples counts them, over time.
	Samples Series `json:"samples"`
}

// Throw is a kind of exception.
type Throw struct {
	Class string `json:"class"`
	// Message is that of the first one.
	Message string `json:"message,omitempty"`
	Count   int64  `json:"count"`
	First   Moment `json:"first"`
	Last    Moment `json:"last"`
	Thread  Thread `json:"thread"`
}

// Point is a value at a moment.
type Point struct {
	At    Moment  `json:"at"`
	Value float64 `json:"value"`
}
