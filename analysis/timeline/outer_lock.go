package timeline

// outerLock is a lock that is none of the JVM's: no dump tells who has it.
type outerLock struct {
	Resource, Awaited, Holding, Advice string
	// elsewhere tells that another JVM may have it as well.
	Elsewhere bool
}

// OuterLocks are told by the rows of idle.tsv that are marked !row and !lock.
var OuterLocks = map[string]outerLock{
	"row": {
		Resource: "transaction",
		Awaited:  "the end of a transaction that has a row or a table of the database",
		Holding:  "it open while ",
		Advice:   "Find the transaction that is left open: commit it before anything slow is done, and give statements a time limit.",
	},
	"lock": {
		Resource:  "distributed lock",
		Awaited:   "a lock that several JVMs may share",
		Holding:   "it while ",
		Advice:    "Hold it for a shorter time, and for nothing slow; wait for it with a time limit. If nobody here has it, look at the other JVMs.",
		Elsewhere: true,
	},
}

// OuterLockOf is the name of the lock that a thread waits for, empty for all others.
func OuterLockOf(s *Sample) string {
	p := s.Position()
	if p == nil || !p.Not || s.Stack.Application == nil {
		return ""
	}
	if _, is := OuterLocks[p.What]; !is {
		return ""
	}
	return p.What
}
