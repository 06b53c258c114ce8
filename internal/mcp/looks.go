package mcp

import (
	"slices"
	"time"

	"github.com/jstall/jstall/analysis"
)

// mostLooks bounds the number of captures in memory.
const mostLooks = 4

// look is one capture or profile, with its target.
type look struct {
	key string
	// began is when the capture began, at when it ended.
	began, at time.Time
	// made is when the files were made that it was read from, and how begins the sentence that says so. Both are zero
	// for a running JVM.
	made time.Time
	how  string
	// waited is how long the call waited until its JVM could be captured.
	waited time.Duration
	report *analysis.Report // nil for a profile
	text   string           // of a profile
}

// time is when the JVM was as the answer describes it, as far as that is known.
func (l look) time() time.Time {
	if l.how != "" {
		return l.made
	}
	return l.at
}

// looks are the latest captures, the newest last.
type looks struct{ all []look }

// find returns the newest capture of a key that may answer a call.
func (l *looks) find(key string, now time.Time, again Reuse) (look, bool) {
	for _, k := range slices.Backward(l.all) {
		if k.key == key && (now.Sub(k.at) < again.most() || !k.began.Before(again.since)) {
			return k, true
		}
	}
	return look{}, false
}

func (l *looks) add(k look) {
	l.all = slices.DeleteFunc(l.all, func(old look) bool { return old.key == k.key || k.at.Sub(old.at) >= kept })
	l.all = append(l.all, k)
	if n := len(l.all) - mostLooks; n > 0 {
		l.all = slices.Delete(l.all, 0, n)
	}
}
