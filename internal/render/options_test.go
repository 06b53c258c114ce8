package render_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/jstall/jstall/analysis"
	"github.com/jstall/jstall/analysis/finding"
	"github.com/jstall/jstall/internal/render"
)

// TestOptions keeps whole outputs, named after the options that shape them.
func TestOptions(t *testing.T) {
	report := deadlocked()
	for name, c := range map[string]struct {
		view    render.View
		options render.Options
	}{
		"deadlocked.status.full":                {render.Status, render.Options{Full: true}},
		"deadlocked.status.stack-depth-2":       {render.Status, render.Options{StackDepth: 2}},
		"deadlocked.deadlock.filter":            {render.Deadlock, render.Options{IntelligentFilter: true}},
		"deadlocked.threads.no-native":          {render.Threads, render.Options{NoNative: true}},
		"deadlocked.most-work.top-1":            {render.MostWork, render.Options{Top: 1}},
		"deadlocked.status.width-60":            {render.Status, render.Options{Width: 60}},
		"deadlocked.deadlock.width-80.multiple": {render.Deadlock, render.Options{Width: 80, MultiTarget: true}},
	} {
		checkGolden(t, name+".txt", []byte(text(t, c.view, report, c.options)))
	}
}

func TestList(t *testing.T) {
	rows := []render.ListRow{{
		PID: 12, NamespacePID: ptr(1), MainClass: "com.acme.shop.Main", JVM: "OpenJDK 64-Bit Server VM",
		Version: "21.0.13",
		User:    "acme", UptimeSeconds: ptr(11532.0), CPUSeconds: ptr(83.2), CPUPercent: ptr(141.0), Threads: ptr(213),
		HeapUsedBytes: ptr(int64(812 << 20)), HeapMaxBytes: ptr(int64(4 << 30)), Container: "3f4a1c09b2aa",
	}, {
		PID: 4711, MainClass: "/opt/" + strings.Repeat("very/", 30) + "deep.jar", Version: "1.8.0_504", User: "root",
		Note: "its performance counters are switched off",
	}, {
		PID: 9, MainClass: "x\x1b[2J\n\u202e", User: "\xff",
	}}
	var b bytes.Buffer
	for name, write := range map[string]func() error{
		"list.txt":          func() error { return render.List(&b, rows, render.Options{Width: 120}) },
		"list.narrow.txt":   func() error { return render.List(&b, rows, render.Options{Width: 80}) },
		"list.two.txt":      func() error { return render.List(&b, rows[1:], render.Options{}) },
		"list.none.txt":     func() error { return render.List(&b, nil, render.Options{}) },
		"list.json.txt":     func() error { return render.ListJSON(&b, rows, analysis.SchemaVersion) },
		"list.nonejson.txt": func() error { return render.ListJSON(&b, nil, analysis.OldestSchema) },
	} {
		b.Reset()
		if err := write(); err != nil {
			t.Fatal(err)
		}
		checkGolden(t, name, b.Bytes())
	}
}

// Virtual threads without a name go by their ids, those that a finding counts and does
// not list are no other role, and a stack without the application shows who called the JDK.
func TestUnnamedCulprits(t *testing.T) {
	r := deadlocked()
	var threads []analysis.ThreadReport
	for id := range int64(2) {
		th := thread("", 31+id, "WAITING", "", 0, "java.lang.VirtualThread.park(VirtualThread.java:1)",
			"java.util.concurrent.Semaphore.acquire(Semaphore.java:2)",
			"java.util.concurrent.A.a(A.java:3)", "java.util.concurrent.B.b(B.java:4)", "okhttp3.Call.run(Call.java:5)")
		th.Kind, th.NativeID = "virtual", 0
		threads = append(threads, th)
	}
	r.Threads = threads
	r.Findings = []finding.Finding{{
		ID: "x", Kind: finding.KindResourceExhausted, Severity: finding.Warning, Title: "42 threads wait",
		Culprits: refs(threads...), VictimCount: 40,
	}}
	out := text(t, render.Status, r, render.Options{})
	for _, want := range []string{"2 × virtual #31…, WAITING, same stack",
		"and 40 more threads like these, not listed", "at okhttp3.Call.run(Call.java:5)"} {
		if !strings.Contains(out, want) {
			t.Errorf("no %q in\n%s", want, out)
		}
	}
	if strings.Contains(out, `""`) || strings.Count(out, "Waiting ") != 1 { // the two listed wait themselves
		t.Error(out)
	}
}
