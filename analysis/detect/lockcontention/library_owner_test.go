package lockcontention_test

import (
	"testing"

	"github.com/jstall/jstall/analysis/finding"
	. "github.com/jstall/jstall/analysis/internal/dumptest"
	"github.com/jstall/jstall/threaddump"
)

// A thread in a call at a later line of the library's method in which others wait for the lock is the likely owner. A
// thread at the same line, at that later line without a call, or in another method is not.
func TestOwnerPastTheAcquireInALibrary(t *testing.T) {
	const write = "ch.qos.logback.core.OutputStreamAppender.writeBytes"
	program := []string{"ch.qos.logback.classic.Logger.info", "Web.get", "App.run"}
	frames := func(top ...string) Part { return At(append(top, program...)...) }
	for name, c := range map[string]struct {
		other []Part
		want  string
	}{
		"in a call at a later line": {[]Part{frames("!java.io.FileOutputStream.writeBytes", write), Further(write)},
			"lock-contention/warning/likely: writer | a,b,c"},
		"in a call at the same line": {[]Part{frames("!java.io.FileOutputStream.writeBytes", write)},
			"lock-contention/warning/likely:  | a,b,c"},
		"at a later line": {[]Part{frames(write), Further(write)}, "lock-contention/warning/likely:  | a,b,c"},
		"in another method": {[]Part{frames("!java.io.FileOutputStream.writeBytes",
			"ch.qos.logback.core.OutputStreamAppender.start"), Further(write)},
			"lock-contention/warning/likely:  | a,b,c"},
	} {
		t.Run(name, func(t *testing.T) {
			threads := []*threaddump.Thread{Thread(9, "writer", c.other...)}
			for i, waiter := range []string{"a", "b", "c"} {
				threads = append(threads, Thread(int64(1+i), waiter, frames(write), ParkedFor(0xa)))
			}
			ExpectOnly(t, DiagnoseAll(Same(threads...)), finding.KindLockContention, c.want)
		})
	}
}
