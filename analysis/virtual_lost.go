package analysis

import "fmt"

// largestRing is how many threads at one place may each have what the next one wants,
// as the philosophers at their table.
const largestRing = 6

// lostLocks reports crowds of virtual threads that wait for a lock whose owner seems to
// have ended, up to JDK 24, where no dump names the lock.
//
// Rule: more threads than make a ring ask for a lock at one line, in the method that they
// were started with or the only one it calls. Who had taken another lock there before
// would have let others wait for that one, at another line; so they wait for their first.
// Nobody else is left who can hold it.
func (f *facts) lostLocks() []candidate {
	v := f.virtualView()
	waiters := f.waitersAlone()
	crowd := crowdsWithout(waiters)
	if len(crowd) == 0 || sizeOf(waiters)-sizeOf(crowd) > 1 || waiters[0].waitsOn() != nil {
		return nil
	}
	finding := Finding{
		Severity: Info, Confidence: Possible,
		Title: fmt.Sprintf("%s threads wait for a lock in %s; no thread in the dump can be holding it%s",
			Thousands(sizeOf(waiters)), crowd[0].Stack.op.caller.Name(), v.last().unlessMain()),
		Advice: "Release the lock in a finally block: its owner seems to have ended without. " +
			"Up to JDK 24 no dump shows which lock virtual threads wait for.",
		Culprits: v.refs(waiters), Resource: &Resource{Type: "ownable synchronizer"},
		Evidence: v.standEvidence(len(v.snaps)-1, waiters),
	}
	if v.stoodThroughout(waiters) {
		finding.Severity, finding.Confidence = Warning, Likely
	}
	f.tellNative(finding.Culprits)
	return []candidate{{Finding: finding, unlisted: sizeOf(waiters) - len(waiters)}}
}

// crowdsWithout are the threads that ask for a lock at the same place as many others, and
// have taken none in a method below.
func crowdsWithout(waiters []*Sample) []*Sample {
	at := map[*Stack]int{}
	for _, s := range waiters {
		at[s.Stack] += s.size()
	}
	var crowd []*Sample
	for _, s := range waiters {
		if s.Stack.op.caller != nil && at[s.Stack] > largestRing && len(inner(s.Stack.program())) < 2 {
			crowd = append(crowd, s)
		}
	}
	return crowd
}
