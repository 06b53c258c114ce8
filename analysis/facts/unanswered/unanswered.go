// Package unanswered holds what /proc and the counters show of a JVM that gave no thread dump: the failed attempt, the
// moments at which the process was read meanwhile, and its threads as the kernel knows them.
package unanswered

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/jstall/jstall/analysis/facts/limits"
	"github.com/jstall/jstall/analysis/timeline"
)

// JVM is a JVM that did not answer, or that was not asked.
type JVM struct {
	// Answered reports that it gave a dump earlier in the capture.
	Answered bool
	// Attempt is the last attempt, which failed.
	Attempt *timeline.Attempt
	// Moments are the readings of the process in order, the last one with the attempt. There is one at least, and the
	// last has a Process.
	Moments []timeline.Observation
	// Threads are those of the last moment, by native id.
	Threads []*Thread
}

// Of is the last failed attempt of a series with what was seen meanwhile; nil if no attempt failed, or if /proc was not
// read for it.
func Of(s *timeline.Series) *JVM {
	end := len(s.Others) - 1
	for end >= 0 && s.Others[end].Attempt == nil {
		end--
	}
	if end < 0 || s.Others[end].Process == nil {
		return nil
	}
	start := end
	for start > 0 && s.Others[start-1].Attempt == nil {
		start--
	}
	u := &JVM{
		Answered: len(s.Snaps) > 0 && !s.Others[end].Attempt.Read,
		Attempt:  s.Others[end].Attempt, Moments: s.Others[start : end+1],
	}
	u.Threads = threadsOf(u.Moments)
	return u
}

// First and Last are the first moment and the last.
func (u *JVM) First() *timeline.Observation { return &u.Moments[0] }
func (u *JVM) Last() *timeline.Observation  { return &u.Moments[len(u.Moments)-1] }

// Process is what the kernel says of the process at the last moment.
func (u *JVM) Process() *timeline.Process { return u.Last().Process }

// Wall is the time from the first moment to the last.
func (u *JVM) Wall() time.Duration { return u.Last().At.Value - u.First().At.Value }

// HasCode reports whether the attempt failed with one of some codes.
func (u *JVM) HasCode(codes ...string) bool { return slices.Contains(codes, u.Attempt.Code) }

// Refused reports whether jstall made no attempt because a limit of the kernel leaves too little room for one.
func (u *JVM) Refused() bool {
	return u.HasCode(limits.NoThreadRoom, limits.NoFileRoom, limits.NoMemoryRoom, limits.NoSpace)
}

// notAsked begins the message of an attempt that was not made.
const notAsked = "not asked: "

// NotAsked returns why the JVM was not asked, for whichever reason; ok is false if it was asked.
func (u *JVM) NotAsked() (why string, ok bool) { return strings.CutPrefix(u.Attempt.Message, notAsked) }

// AttemptText is the evidence of the failed attempt.
func (u *JVM) AttemptText() string { return "attach, " + u.Attempt.Phase + ": " + u.Attempt.Message }

func threadsOf(moments []timeline.Observation) []*Thread {
	byID := map[int64]*Thread{}
	for _, m := range moments {
		for nid, task := range m.Tasks {
			t := byID[nid]
			if t == nil {
				t = &Thread{NativeID: nid, First: task, Wall: -m.At.Value}
				byID[nid] = t
			}
			t.add(task)
		}
	}
	last := moments[len(moments)-1]
	threads := make([]*Thread, 0, len(last.Tasks))
	for nid := range last.Tasks {
		t := byID[nid]
		t.Wall += last.At.Value
		threads = append(threads, t)
	}
	slices.SortFunc(threads, func(a, b *Thread) int { return cmp.Compare(a.NativeID, b.NativeID) })
	nameThreads(threads)
	return threads
}

// Named finds a thread of the JVM by its full name, nil if it is not there.
func (u *JVM) Named(name string) *Thread {
	for _, t := range u.Threads {
		if t.HasName(name) {
			return t
		}
	}
	return nil
}

// BusiestWhere are the threads for which a condition holds, the busiest first.
func (u *JVM) BusiestWhere(holds func(*Thread) bool) []*Thread {
	var out []*Thread
	for _, t := range u.Threads {
		if holds(t) {
			out = append(out, t)
		}
	}
	slices.SortStableFunc(out, func(a, b *Thread) int { return cmp.Compare(b.Share(), a.Share()) })
	return out
}
