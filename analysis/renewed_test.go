package analysis_test

import (
	"strings"
	"testing"

	"github.com/jstall/jstall/analysis"
	"github.com/jstall/jstall/analysis/finding"
	. "github.com/jstall/jstall/analysis/internal/dumptest"
	"github.com/jstall/jstall/threaddump"
)

// polls are three dumps of 200 virtual threads of a real JVM that wait in HttpClient.send, in which each is answered
// after up to 8 s. move gives the address of the object that the n-th of them waits for in a dump, from the one in the
// dump before and the real one.
func polls(t *testing.T, move func(n int, before, real uint64) uint64) []*threaddump.Dump {
	t.Helper()
	dumps, err := threaddump.Parse([]byte(virtualDump(t, "polls-25")))
	if err != nil {
		t.Fatal(err)
	}
	before := map[int64]uint64{}
	for i, d := range dumps {
		n := 0
		for _, th := range d.Threads {
			if !th.Virtual || len(th.Locks) != 1 {
				continue
			}
			l := &th.Locks[0]
			if i > 0 && move != nil {
				l.Address = move(n, before[th.ID], l.Address)
			}
			before[th.ID] = l.Address
			n++
		}
	}
	return dumps
}

// Clients that were answered between the dumps do not count, and the report does not say how long those wait whose wait
// may be another. Those in one wait all the time are a hint: nothing shows that they will be answered, too.
func TestRenewedWaits(t *testing.T) {
	const hint = "wait in com.acme.poll.LongPoll.pollLoop"
	for name, test := range map[string]struct {
		move  func(n int, before, real uint64) uint64
		want  string
		timed int // threads for which a row has a time
	}{
		"answered":      {nil, "81 threads " + hint, 81},
		"stuck":         {func(_ int, before, _ uint64) uint64 { return before }, "200 threads " + hint, 200},
		"moved by a GC": {func(_ int, before, _ uint64) uint64 { return before ^ 1<<24 }, "200 threads without", 0},
		"most are stuck": {func(n int, before, real uint64) uint64 {
			if n < 150 {
				return before
			}
			return real
		}, "166 threads " + hint, 166},
	} {
		t.Run(name, func(t *testing.T) {
			r := DiagnoseDumps(polls(t, test.move)...)
			if len(r.Findings) != 1 || !strings.Contains(r.Verdict.Summary, test.want) {
				t.Errorf("%v: %s", Found(r), r.Verdict.Summary)
			}
			if strings.Contains(r.Verdict.Summary, "unchanged") == (name == "moved by a GC") {
				t.Error(r.Verdict.Summary)
			}
			if got := timedWaits(r); got != test.timed {
				t.Errorf("a time for %d threads, want %d", got, test.timed)
			}
		})
	}
}

// timedWaits counts the virtual threads of which the report says how long they have waited.
func timedWaits(r *analysis.Report) (n int) {
	for i := range r.Threads {
		if w := r.Threads[i].WaitsFor; w != nil && w.Seconds != nil && r.Threads[i].Virtual() {
			n += r.Threads[i].Size()
		}
	}
	return n
}

// A request may have a time limit that no stack shows.
func TestAdviceForRequestsInOneDump(t *testing.T) {
	r := DiagnoseDumps(polls(t, nil)[0])
	if len(r.Findings) != 1 || r.Findings[0].Kind != finding.KindIOWait ||
		!strings.Contains(r.Findings[0].Advice, "if it has none") {
		t.Errorf("%+v", r.Findings)
	}
}
