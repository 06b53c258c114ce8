package analysis_test

import (
	"slices"
	"strings"
	"testing"

	. "github.com/jstall/jstall/analysis/internal/dumptest"
	"github.com/jstall/jstall/threaddump"
)

// dovecote are three real dumps of JDK 8: a thread runs in a regular expression inside of a synchronized method of one
// line, two others want to enter it.
const dovecote = "../testdata/dumps/waits/dovecote-8.txt.gz"

// Where no line names the owner of a monitor, it is the thread that is in a call of the method which the others enter.
func TestTheOwnerRunsInTheMethodThatOthersEnter(t *testing.T) {
	lines := slices.DeleteFunc(strings.SplitAfter(string(unpackText(t, dovecote)), "\n"), func(line string) bool {
		return strings.Contains(line, "- locked")
	})
	dumps, err := threaddump.Parse([]byte(strings.Join(lines, "")))
	if err != nil {
		t.Fatal(err)
	}
	const slow = "hot-thread/info/possible: clerk-0 |  < lock-contention-1"
	Expect(t, DiagnoseDumps(dumps...), "lock-contention/warning/likely: clerk-0 | clerk-1,clerk-2", slow)
	Expect(t, DiagnoseDumps(dumps[0]), "lock-contention/info/possible: clerk-0 | clerk-1,clerk-2", slow)

	for _, d := range dumps {
		d.Threads = slices.DeleteFunc(d.Threads, func(t *threaddump.Thread) bool { return t.Name == "clerk-0" })
	}
	Expect(t, DiagnoseDumps(dumps...), "lock-contention/warning/likely:  | clerk-1,clerk-2")
}

// Three dumps without CPU times show a thread in one regular expression. How deep its frames are nested at the moment
// of a dump does not matter: 14 frames have two levels.
func TestAThreadThatStaysInARegularExpression(t *testing.T) {
	dumps := unpack(t, dovecote)
	for _, d := range dumps {
		d.Threads = slices.DeleteFunc(d.Threads, func(t *threaddump.Thread) bool {
			return t.Name == "clerk-1" || t.Name == "clerk-2"
		})
	}
	const found = "hot-thread/info/possible: clerk-0 | "
	Expect(t, DiagnoseDumps(dumps...), found)
	for _, d := range dumps {
		for _, th := range d.Threads {
			th.Stack = th.Stack[max(0, len(th.Stack)-14):]
		}
	}
	Expect(t, DiagnoseDumps(dumps...), found)
	Expect(t, DiagnoseDumps(dumps[0]))
	for _, th := range dumps[1].Threads {
		if th.Name == "clerk-0" { // it was elsewhere in between
			th.Stack = th.Stack[len(th.Stack)-2:]
		}
	}
	Expect(t, DiagnoseDumps(dumps...))
}
