package pinned

import (
	"fmt"
	"slices"

	"github.com/jstall/jstall/analysis/facts"
	"github.com/jstall/jstall/analysis/facts/locks"
	"github.com/jstall/jstall/analysis/finding"
	"github.com/jstall/jstall/analysis/object"
	"github.com/jstall/jstall/analysis/timeline"
)

// starvedLock is a lock that no thread holds although threads wait for it: the first in its queue is ready to take it,
// and has no carrier.
type starvedLock struct {
	lock *object.Synchronizer
	next *timeline.Sample
}

// findStarvedLock returns a free lock whose next owner is among the ready threads, nil without one. The locks are those
// read from the JVM's memory.
func findStarvedLock(f *facts.Facts, ready []*timeline.Sample) *starvedLock {
	set := f.Timeline.Last().Objects
	if set == nil {
		return nil
	}
	for i := range set.Synchronizers {
		l := &set.Synchronizers[i]
		if l.NextID == 0 || l.OwnerID != 0 {
			continue
		}
		if at := slices.IndexFunc(ready, func(s *timeline.Sample) bool { return s.Thread.ID == l.NextID }); at >= 0 {
			return &starvedLock{l, ready[at]}
		}
	}
	return nil
}

// addTo adds the lock to a finding about carriers that are all taken.
func (l *starvedLock) addTo(result *finding.Finding) {
	result.Title = fmt.Sprintf("%s is free, but %s, the next in its queue, has no carrier; %s",
		locks.LockWords(l.lock.Object.Class), l.next.Thread.Called(), result.Title)
	result.Evidence = append(result.Evidence, finding.Figure(fmt.Sprintf(
		"read from memory: %s has no owner; %s is the first in its queue", l.lock.Object, l.next.Thread.Called())))
	result.Resource = &finding.Resource{
		Type: "ownable synchronizer", Class: l.lock.Object.Class, Address: finding.Hex(l.lock.Object.Address),
	}
}
