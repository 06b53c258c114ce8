package flame

// Options shape a profile as it is made.
type Options struct {
	// ExactNames keeps the names of generated classes, which differ from run to run.
	ExactNames bool
	// Thread, if set, chooses the threads, by name and by the native id that the JVM
	// prints. The CPU time of the process beyond its threads is then left out.
	Thread func(name string, nid int64) bool
	// Labels, if set, are the labels that the samples of a flight recording get from its events.
	Labels *EventLabels
	// Timeline, if set, records when the values of each sample arose.
	Timeline *Timeline
	// Better is the command that profiles the same JVM without the gaps of thread dumps, empty if none would.
	Better string
}
