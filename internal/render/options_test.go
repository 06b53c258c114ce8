package render_test

import (
	"bytes"
	"strings"
	"testing"

	"jstall/internal/render"
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
		PID: 12, NamespacePID: ptr(1), MainClass: "com.acme.shop.Main", JVM: "OpenJDK 64-Bit Server VM", Version: "21.0.13",
		User: "acme", UptimeSeconds: ptr(11532.0), CPUSeconds: ptr(83.2), CPUPercent: ptr(141.0), Threads: ptr(213),
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
		"list.json.txt":     func() error { return render.ListJSON(&b, rows) },
		"list.nonejson.txt": func() error { return render.ListJSON(&b, nil) },
	} {
		b.Reset()
		if err := write(); err != nil {
			t.Fatal(err)
		}
		checkGolden(t, name, b.Bytes())
	}
}
