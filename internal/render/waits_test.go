package render_test

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/jstall/jstall/analysis"
	"github.com/jstall/jstall/analysis/finding"
	"github.com/jstall/jstall/internal/render"
)

// TestGraphIsDOT reads every line by the grammar: comments, and between the first
// line and the brace at the end nodes and edges with attributes.
func TestGraphIsDOT(t *testing.T) {
	const (
		id         = `[tn][0-9]+(_[0-9]+)?|lock(_[0-9]+)?`
		str        = `"([^"\\]|\\.)*"`
		attributes = `\[[a-z]+=(` + str + `|[a-z0-9]+)(, [a-z]+=(` + str + `|[a-z0-9]+))*\]`
	)
	statement := regexp.MustCompile(`^  (` + id + `)( -> (` + id + `))? ` + attributes + `;$`)
	for name, report := range samples() {
		var body []string
		for _, line := range lines(text(t, render.DependencyGraph, report, render.Options{})) {
			if !strings.HasPrefix(line, "// ") {
				body = append(body, line)
			}
		}
		if body[0] != "digraph waits {" || body[len(body)-1] != "}" {
			t.Fatalf("%s: no graph: %q", name, body)
		}
		for _, line := range body[2 : len(body)-1] {
			if !statement.MatchString(line) {
				t.Errorf("%s: %s", name, line)
			}
		}
	}
}

// TestGraphLabelsAreLiteral holds that nothing in a name is read as markup.
func TestGraphLabelsAreLiteral(t *testing.T) {
	r := deadlocked()
	for i := range r.Threads {
		r.Threads[i].Name = strings.Replace(r.Threads[i].Name, "transfer-", `\N"&lt;\n`, 1)
		if w := r.Threads[i].WaitsFor; w != nil && w.Owner != nil {
			w.Owner.Name = strings.Replace(w.Owner.Name, "transfer-", `\N"&lt;\n`, 1)
		}
	}
	if out := text(t, render.DependencyGraph, r, render.Options{}); !strings.Contains(out, `\"\\N\\\"&amp;lt;\\n1\"`) {
		t.Error(out)
	}
}

// TestThreadThatWaitsForItselfIsThereOnce: the thread is the root of those behind it, and the tree has no other owner.
func TestThreadThatWaitsForItselfIsThereOnce(t *testing.T) {
	own := finding.ThreadRef{Name: "self", ID: 7}
	wait := analysis.Wait{Type: "ownable synchronizer", Class: "java.util.concurrent.locks.StampedLock",
		Address: "0x000000069ec19830", Owner: &own}
	row := func(name string, id int64) analysis.ThreadReport {
		w := wait
		return analysis.ThreadReport{Name: name, ID: id, Kind: "java", State: "WAITING", WaitsFor: &w,
			Stack: []string{}, Locks: []string{}}
	}
	r := &analysis.Report{Schema: analysis.SchemaVersion, Capture: analysis.Capture{Dumps: 1},
		Threads: []analysis.ThreadReport{row("self", 7), row("behind", 8)}}
	for name, threads := range map[string][]analysis.ThreadReport{"alone": r.Threads[:1],
		"with one behind": r.Threads} {
		r.Threads = threads
		out := text(t, render.DependencyGraph, r, render.Options{})
		if strings.Count(out, `label="\"self\"`) != 1 || strings.Contains(out, "unknown owner") ||
			strings.Contains(out, "t7 -> ") {
			t.Errorf("%s:\n%s", name, out)
		}
	}
}

func TestManyWaitersFitOneScreen(t *testing.T) {
	for _, view := range []render.View{render.WaitingThreads, render.DependencyTree, render.DependencyGraph} {
		out := lines(text(t, view, stalled(10_000), render.Options{Width: 120}))
		if len(out) > 75 {
			t.Errorf("%s: %d lines", view, len(out))
		}
		if all := strings.Join(out, "\n"); !strings.Contains(all, "9,800 × ") {
			t.Errorf("%s does not count the waiters:\n%s", view, all)
		}
	}
}

// chain is n threads, each of which waits for a lock that the next one holds.
func chain(n int) *analysis.Report {
	r := &analysis.Report{Schema: 1, Target: shop, Capture: live, Threads: make([]analysis.ThreadReport, n)}
	for i := range r.Threads {
		r.Threads[i] = thread(fmt.Sprintf("link-%d", i), int64(i+1), "BLOCKED", "", 0)
		if i > 0 {
			waitsFor(&r.Threads[i], &r.Threads[i-1], "monitor", "Link", fmt.Sprintf("0x%x", i))
		}
	}
	return r
}

func TestLongChainIsCounted(t *testing.T) {
	out := text(t, render.DependencyTree, chain(10_000), render.Options{Width: 100})
	if n := len(lines(out)); n > 40 || !strings.Contains(out, "9,999 threads wait") ||
		!strings.Contains(out, "… 9,979 more threads in this branch") {
		t.Errorf("%d lines:\n%s", n, out)
	}
}

func TestRingIsOneCycle(t *testing.T) {
	r := chain(500)
	waitsFor(&r.Threads[0], &r.Threads[499], "monitor", "Link", "0x1000")
	out := text(t, render.DependencyTree, r, render.Options{Full: true})
	if strings.Count(out, "↻ again") > 1 || !strings.Contains(out, "↻ in a cycle of 500 threads") ||
		!strings.Contains(out, "500 threads wait for other threads, in 1 tree (1 cycle)") {
		t.Error(out)
	}
}

// A report from elsewhere may let a thread wait for itself, or for one it lacks.
func TestStrangeOwners(t *testing.T) {
	r := chain(2)
	waitsFor(&r.Threads[0], &r.Threads[0], "monitor", "Link", "0x1")
	r.Threads[1].WaitsFor.Owner.ID = 77
	out := text(t, render.DependencyTree, r, render.Options{})
	own := `"link-0", nid 3001 (0xbb9), BLOCKED, waits for a monitor held by "link-0"`
	if !strings.Contains(out, "1 thread waits for other threads, in 2 trees") || strings.Count(out, own) != 1 {
		t.Error(out)
	}
}

func TestIdleThreadIsShownWhereAFindingNamesIt(t *testing.T) {
	r := waits()
	if out := text(t, render.WaitingThreads, r, render.Options{}); strings.Contains(out, "keeper") ||
		!strings.Contains(out, "4 idle threads") {
		t.Error(out)
	}
	keeper := r.Threads[len(r.Threads)-1]
	r.Findings = []finding.Finding{{ID: "x", Kind: finding.KindMissedSignal, Severity: finding.Warning,
		Culprits: refs(keeper)}}
	if out := text(t, render.WaitingThreads, r, render.Options{}); !strings.Contains(out, "keeper") ||
		!strings.Contains(out, "3 idle threads") {
		t.Error(out)
	}
}

// Threads that used CPU between the dumps are not said to wait all the time.
func TestWaitsWithWorkInBetween(t *testing.T) {
	r := waits()
	for i := range r.Threads {
		if w := r.Threads[i].WaitsFor; w != nil && (r.Threads[i].Name == "web-3" || r.Threads[i].Name == "left") {
			w.Seconds = nil
		}
	}
	out := text(t, render.WaitingThreads, r, render.Options{})
	if !strings.Contains(out,
		"threads wait in each of 3 dumps; 2 of them used CPU in between; 1 in part of the capture only") {
		t.Error(out)
	}
	if !strings.Contains(out, `"left", nid`) || !strings.Contains(out, "BLOCKED in 3 dumps") {
		t.Error(out)
	}
}

func TestThreadChoosesTheTreesItIsIn(t *testing.T) {
	only := func(name string, _ int64) bool { return name == "web-3" }
	out := text(t, render.DependencyTree, waits(), render.Options{Thread: only})
	if !strings.Contains(out, "importer") || strings.Contains(out, `"left"`) {
		t.Error(out)
	}
}

func TestNobodyWaits(t *testing.T) {
	r := busy()
	for view, want := range map[render.View]string{
		render.WaitingThreads: "No thread waits over the whole capture",
		render.DependencyTree: "No thread waits for a lock held by another thread. For other waits: " +
			"jstall waiting-threads.",
	} {
		if out := text(t, view, r, render.Options{}); !strings.Contains(out, want) {
			t.Error(out)
		}
	}
	for _, view := range []render.View{render.WaitingThreads, render.DependencyTree, render.DependencyGraph} {
		if out := text(t, view, unresponsive(), render.Options{}); !strings.Contains(out, "no dump could be taken") {
			t.Errorf("%s:\n%s", view, out)
		}
	}
}

// Evidence of equal text is shown once, and what lacks a place does no harm.
func TestEqualEvidenceIsOneLine(t *testing.T) {
	figure, placed := finding.Evidence{Text: "same"}, seen("same", 0, 9)
	for want, evidence := range map[string][]finding.Evidence{
		"same (dump 1, lines 4, 9)":              {placed, seen("same", 0, 4)},
		"same (dump 1, line 9) and 1 equal line": {placed, seen("same", 1, 4)},
		"same and 1 equal line":                  {figure, placed},
	} {
		r := busy()
		r.Findings[0].Evidence = evidence
		if out := text(t, render.Status, r, render.Options{}); !strings.Contains(out, "Evidence  "+want+"\n") {
			t.Errorf("%s:\n%s", want, out)
		}
	}
}

func TestEvidenceNamesTheFileOfItsDump(t *testing.T) {
	for _, test := range []struct {
		files    []string
		want     string
		evidence []finding.Evidence
	}{
		{[]string{"a/1.txt", "b/2.txt"}, "same (2.txt:9)", []finding.Evidence{seen("same", 1, 9)}},
		{[]string{"a/1.txt", "b/1.txt"}, "same (b/1.txt:9)", []finding.Evidence{seen("same", 1, 9)}},
		{[]string{"a/1.txt", "a/1.txt"}, "same (1.txt:4,9)",
			[]finding.Evidence{seen("same", 1, 9), seen("same", 1, 4)}},
		{[]string{"", "b/1.txt"}, "same (dump 1, line 9)", []finding.Evidence{seen("same", 0, 9)}},
		{[]string{"a/1.txt"}, "same (dump 3, line 9)", []finding.Evidence{seen("same", 2, 9)}},
	} {
		r := busy()
		r.Capture.DumpFiles, r.Findings[0].Evidence = test.files, test.evidence
		if out := text(t, render.Status, r, render.Options{}); !strings.Contains(out, "Evidence  "+test.want+"\n") {
			t.Errorf("%v: want %s:\n%s", test.files, test.want, out)
		}
	}
}

func TestFramesWithoutModules(t *testing.T) {
	r := busy()
	for frame, want := range map[string]string{
		"java.base/java.lang.Thread.sleep(Thread.java:509)":         "at java.lang.Thread.sleep(Thread.java:509)",
		"java.lang.Thread.sleep(java.base@21.0.13/Thread.java:509)": "at java.lang.Thread.sleep(Thread.java:509)",
		"app//com.acme.Main$$Lambda/0x00007f.run(Unknown Source)": "at com.acme.Main$$Lambda/0x00007f." +
			"run(Unknown Source)",
		"com.acme.Main$$Lambda/0x00007f33.run(Unknown Source)": "at com.acme.Main$$Lambda/0x00007f33." +
			"run(Unknown Source)",
		"app/com.acme.shop@1.2/com.acme.Price.round(Price.java:120)": "at com.acme.Price.round(Price.java:120)",
	} {
		r.Threads[2].Stack = []string{frame}
		if out := text(t, render.MostWork, r, render.Options{}); !strings.Contains(out, want+"\n") {
			t.Errorf("%s is not %s:\n%s", frame, want, out)
		}
	}
}

// The call that waits stays in the excerpt, though a pipeline made it.
func TestExcerptShowsTheCallThatWaits(t *testing.T) {
	r := busy()
	r.Threads = []analysis.ThreadReport{{
		Name: "w-1", ID: 7, State: "WAITING", Frame: "app.Shop.all",
		WaitsFor: &analysis.Wait{Type: "result", Operation: "Future.join"},
		Stack: []string{
			"U.park(U.java)", "L.park(L.java:1)", "a.Future.get(F.java:2)", "a.Future.join(F.java:3)",
			"s.Sink.accept(S.java:4)",
			"s.Pipe.copy(S.java:5)", "s.Pipe.copy(S.java:5)", "s.Pipe.copy(S.java:5)", "s.Pipe.copy(S.java:5)",
			"s.Pipe.collect(S.java:6)", "app.Shop.all(A.java:7)", "app.Shop.run(A.java:8)",
		},
	}}
	r.Findings = []finding.Finding{{ID: "pool-deadlock-1", Kind: finding.KindPoolDeadlock,
		Severity: finding.Critical, Culprits: []finding.ThreadRef{{Name: "w-1", ID: 7}}}}
	out := strings.Join(strings.Fields(text(t, render.Status, r, render.Options{})), " ")
	want := "at U.park(U.java) (2 frames omitted) at a.Future.join(F.java:3) (3 frames omitted) at " +
		"s.Pipe.copy(S.java:5) at s.Pipe.copy(S.java:5) " +
		"at s.Pipe.collect(S.java:6) at app.Shop.all(A.java:7)"
	if !strings.Contains(out, want) {
		t.Error(out)
	}
	r.Findings[0].Evidence = []finding.Evidence{{Text: "at s.Sink.accept(S.java:4)"},
		{Text: "at app.Shop.run(A.java:8)"}}
	out = strings.Join(strings.Fields(text(t, render.Status, r, render.Options{})), " ")
	want = "(3 frames omitted) at a.Future.join(F.java:3) at s.Sink.accept(S.java:4) (4 frames omitted) at " +
		"s.Pipe.collect(S.java:6) at " +
		"app.Shop.all(A.java:7) at app.Shop.run(A.java:8)"
	if !strings.Contains(out, want) {
		t.Error(out)
	}
}

// What the JVM's own threads wait for is not counted among the program's.
func TestStatusCountsTheWaitsOfTheProgramAlone(t *testing.T) {
	row := func(name, role string) analysis.ThreadReport {
		seconds := 2.0
		return analysis.ThreadReport{Name: name, ID: 7, Kind: "java", Role: role, State: "WAITING", Stack: []string{},
			Locks:    []string{},
			WaitsFor: &analysis.Wait{Type: "notify", Dumps: 3, Seconds: &seconds}}
	}
	elapsed := 2.0
	r := &analysis.Report{Schema: analysis.SchemaVersion, Capture: analysis.Capture{Dumps: 3, ElapsedSeconds: &elapsed},
		Verdict: analysis.Verdict{State: analysis.Ok, Summary: "no problem found"},
		Threads: []analysis.ThreadReport{row("Reference Handler", "jvm"), row("own", "application"),
			row("Finalizer", "jvm")}}
	out := text(t, render.Status, r, render.Options{})
	if !strings.Contains(out, "1 thread waits over the whole capture") || strings.Contains(out, "Finalizer") {
		t.Error(out)
	}
}

// TestOtherWaitersAreShownBesideAFinding: those that wait without a time limit and that no finding
// names, by place.
func TestOtherWaitersAreShownBesideAFinding(t *testing.T) {
	r := deadlocked()
	parked := thread("relay", 40, "WAITING", "com.acme.Relay.pass", 0)
	waitsFor(&parked, nil, "unpark", "", "")
	naps := thread("naps", 41, "TIMED_WAITING", "com.acme.Relay.nap", 0)
	waitsFor(&naps, nil, "time", "", "")
	naps.WaitsFor.Unlimited = false
	for _, row := range []analysis.ThreadReport{parked, naps} {
		row.Role = "application"
		row.WaitsFor.Dumps = r.Capture.Dumps
		r.Threads = append(r.Threads, row)
	}
	out := text(t, render.Status, r, render.Options{})
	if !strings.Contains(out, "1 other thread waits without a time limit") ||
		!strings.Contains(out, `"relay" has waited ≥ `) || strings.Contains(out, `"naps"`) {
		t.Error(out)
	}
	r.Threads = r.Threads[:len(r.Threads)-2]
	if out := text(t, render.Status, r, render.Options{}); strings.Contains(out, "without a time limit") {
		t.Error(out)
	}
}
