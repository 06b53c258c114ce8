package eval

import (
	"strings"
	"testing"

	"github.com/jstall/jstall/analysis"
)

// Threads of recorded programs wait for each other in a way that no dump proves. The headline names them.
func TestHeadlineNamesWaitsOfRealPrograms(t *testing.T) {
	want := map[string]string{
		"Belvedere": "3 threads wait for a notify at Belvedere$View.awaitOpen (Belvedere.java:11)",
		"Berths":    "1 thread waits for a permit at Berths.inbound (Berths.java:14) (and 1 elsewhere)",
		"Granary":   "1 thread waits for a condition's signal at Granary.millWheat (Granary.java:16) (and 1 elsewhere)",
	}
	for _, in := range lawInputs(t) {
		name := strings.TrimSuffix(strings.TrimPrefix(in.name, "eval/recorded/jdk17/"), ".txt.zst")
		if want[name] == "" {
			continue
		}
		r := reportOn(in.dumps...)
		if r.Verdict.State != analysis.Ok || !strings.Contains(r.Verdict.Summary, want[name]) {
			t.Errorf("%s: %s: %s", name, r.Verdict.State, r.Verdict.Summary)
		}
		delete(want, name)
	}
	if len(want) > 0 {
		t.Errorf("not recorded: %v", want)
	}
}
