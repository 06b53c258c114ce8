package analysis

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/jstall/jstall/analysis/finding"
)

// The place follows the threads that are there, and the least useful part is dropped first.
func TestHeadline(t *testing.T) {
	owner := finding.ThreadRef{Name: "pay-5", Frame: "com.acme.Audit.book", File: "Audit.java", Line: 81}
	worker := finding.ThreadRef{Name: "rpc-1", Frame: "com.acme.Quotes.ask", File: "Quotes.java", Line: 3}
	long, longer := strings.Repeat("long", 14), strings.Repeat("long", 18)
	northCalled := finding.ThreadRef{Name: longer + "north" + longer + "-0001", ID: 12, Frame: "Trade.both"}
	southCalled := finding.ThreadRef{Name: longer + "south" + longer + "-0001", ID: 13, Frame: "Trade.both"}
	for _, test := range []struct {
		title    string
		kind     finding.Kind
		culprits []finding.ThreadRef
		victims  int
		want     string
	}{
		{`"pay-5" uses 98 % of a core`, finding.KindHotThread, []finding.ThreadRef{owner}, 0,
			`"pay-5" uses 98 % of a core in com.acme.Audit.book (Audit.java:81)`},
		{`2 threads with the same work use 1.9 cores`, finding.KindHotThread, []finding.ThreadRef{owner, worker}, 0,
			`2 threads with the same work use 1.9 cores in com.acme.Audit.book (Audit.java:81)`},
		{`2 threads wait for a Log held by "pay-5", which sleeps`, finding.KindLockContention,
			[]finding.ThreadRef{owner}, 2,
			`2 threads wait for a Log held by "pay-5" (in com.acme.Audit.book, Audit.java:81), which sleeps`},
		{`Pool exhausted: 4 threads wait; 2 × "rpc-*" hold one each`, finding.KindResourceExhausted,
			[]finding.ThreadRef{worker}, 4,
			`Pool exhausted: 4 threads wait; 2 × "rpc-*" (in com.acme.Quotes.ask, Quotes.java:3) hold one each`},
		{`no worker of "rpc-*" is free: each waits for a result`, finding.KindExecutorSaturated,
			[]finding.ThreadRef{worker}, 4,
			`no worker of "rpc-*" is free: each waits in com.acme.Quotes.ask (Quotes.java:3) for a result`},
		{`2 threads wait for space; consumer unknown`, finding.KindQueueFull, []finding.ThreadRef{worker}, 0,
			`2 threads wait in com.acme.Quotes.ask (Quotes.java:3) for space; consumer unknown`},
		{`2 threads wait for space; its consumers sleep`, finding.KindQueueFull, []finding.ThreadRef{worker}, 2,
			`2 threads wait for space; its consumers sleep`},
		{`1 thread waits in Quotes.ask for a latch`, finding.KindMissedSignal, []finding.ThreadRef{worker}, 0,
			`1 thread waits in com.acme.Quotes.ask (Quotes.java:3) for a latch`},
		{`2 threads wait for an org.log.FileManager held by "pay-5", ` + longer, finding.KindLockContention,
			[]finding.ThreadRef{owner}, 2, `2 threads wait for a FileManager held by "pay-5", ` + longer},
		{`Pool exhausted: 4 threads wait; holders: "` + long + `-1", "` + long + `-2" and "` + long + `-9" read`,
			finding.KindResourceExhausted, []finding.ThreadRef{{Name: long + "-1"}}, 4,
			`Pool exhausted: 4 threads wait; holders: 3 × "` + long + `-*" read`},
		{`2 threads are deadlocked: ` + northCalled.Called() + ` and ` + southCalled.Called(), finding.KindDeadlock,
			[]finding.ThreadRef{northCalled, southCalled}, 0,
			`2 threads are deadlocked: "longlongl…nor…glong-0001" #12 and "longlongl…sou…glong-0001" #13`},
		{`2 threads wait; ` + longer + longer, finding.KindLockContention, nil, 2, `2 threads wait`},
	} {
		lead := &finding.Finding{Kind: test.kind, Severity: finding.Warning, Title: test.title,
			Culprits: test.culprits, Victims: make([]finding.ThreadRef, test.victims)}
		if got := headline(lead, " (and 1 more finding)"); got != test.want+" (and 1 more finding)" {
			t.Errorf("%s\n got %s\nwant %s", test.title, got, test.want)
		}
	}
	endless := &finding.Finding{Severity: finding.Warning, Title: strings.Repeat("ä", 500)}
	if n := utf8.RuneCountInString("DEGRADED: " + headline(endless, "")); n != maxHeadline {
		t.Errorf("%d characters", n)
	}
}
