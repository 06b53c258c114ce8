package render_test

import (
	"strings"
	"testing"

	"github.com/jstall/jstall/analysis"
	"github.com/jstall/jstall/internal/render"
)

// Threads that a finding has from an earlier dump are shown as that dump has them, and the dump is named. Schema 2 has
// neither stack nor dump of such a thread.
func TestThreadsOfAnEarlierDumpAreShownAsItHasThem(t *testing.T) {
	r := reportOf(t, "dumps/waits/turns.txt")
	out := text(t, render.Status, r, render.Options{})
	for _, want := range []string{
		"TIMED_WAITING in dump 1, 0.0 % CPU\n               at java.lang.Thread.sleep(Native Method)",
		"4 × \"exec-*\" BLOCKED at Turns.work(Turns.java:24) in dump 1",
	} {
		if !strings.Contains(out, want) {
			t.Errorf("no %q in\n%s", want, out)
		}
	}
	for schema, want := range map[int]bool{analysis.SchemaVersion: true, analysis.OldestSchema: false} {
		var doc strings.Builder
		if err := render.JSONAs(&doc, r, schema); err != nil {
			t.Fatal(err)
		}
		flat := strings.Join(strings.Fields(doc.String()), "")
		if strings.Contains(flat, `"dump":0,"stack":[`) != want {
			t.Errorf("schema %d: the stack of an earlier dump is there: %v", schema, !want)
		}
	}
}
