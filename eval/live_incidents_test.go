package eval

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"sync"
	"testing"

	"github.com/jstall/jstall/analysis/finding"
	"github.com/jstall/jstall/internal/jvmtest"
)

// liveIncidentFloor is how many of the incidents with a fault must be found, in each form.
const liveIncidentFloor = 11

// TestLiveIncidents starts each incident on JDK 17, alone and with other work, and judges three dumps as `jstall
// status` takes them. EVAL_ONLY names incidents; without it SAVE=1 puts the table into RESULTS.md.
func TestLiveIncidents(t *testing.T) {
	if os.Getenv("EVAL") == "" {
		t.Skip("runs under `make eval`: it fetches libraries and starts a JVM per incident")
	}
	rows := slices.DeleteFunc(incidents(t), func(i incident) bool { return !i.program().wanted() })
	if len(rows) == 0 {
		t.Skip("EVAL_ONLY names no incident")
	}
	jdk := jvmtest.Find(t, "17")
	script := buildIncidents(t)
	table := incidentTable{rows: rows}
	for _, mode := range [][]string{nil, {"bystanders"}} {
		column := incidentColumn{title: "plain", cells: map[string]string{}}
		if mode != nil {
			column.title = mode[0]
		}
		column.run(t, rows, func(row incident) *exec.Cmd {
			cmd := exec.Command(script, append([]string{row.id}, mode...)...)
			cmd.Env = append(os.Environ(), "JAVA="+jdk.Java())
			return cmd
		})
		if column.found < liveIncidentFloor && os.Getenv("EVAL_ONLY") == "" {
			t.Errorf("%s: %d incidents are found, want %d or more", column.title, column.found, liveIncidentFloor)
		}
		table.columns = append(table.columns, column)
	}
	table.save(t, "Incidents, live", "Written by `EVAL=1 SAVE=1 go test ./eval -run TestLiveIncidents`, "+
		"on JDK 17: three dumps, one second apart, three seconds after READY.")
}

// buildIncidents builds the incidents, and returns the path of the script that runs one.
func buildIncidents(t *testing.T) string {
	t.Helper()
	needMaven(t)
	script, err := filepath.Abs(filepath.Join(incidentSources, "run.sh"))
	if err != nil {
		t.Fatal(err)
	}
	if out, err := exec.CommandContext(t.Context(), script, "build").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return script
}

// needMaven ends the test if the libraries of a program are not available.
func needMaven(t *testing.T) {
	t.Helper()
	for _, tool := range []string{"mvn", "javac"} {
		if _, err := exec.LookPath(tool); err != nil {
			jvmtest.Lack(t, "%s is needed to build the programs: %v", tool, err)
		}
	}
}

// program is the incident as the harness of the other programs starts it.
func (i incident) program() program {
	settle := 3.0
	return program{ID: i.id, Healthy: i.healthy(), Kinds: []finding.Kind{finding.Kind(i.kinds[0])}, Settle: &settle}
}

// run starts the incidents, two at a time, and adds the results of the reports on them.
func (c *incidentColumn) run(t *testing.T, rows []incident, command func(incident) *exec.Cmd) {
	var mu sync.Mutex
	var all sync.WaitGroup
	slots := make(chan bool, 2)
	for _, row := range rows {
		slots <- true
		all.Go(func() {
			defer func() { <-slots }()
			r, _, err := row.program().lookAt(t.Context(), command(row))
			mu.Lock()
			defer mu.Unlock()
			if err != nil {
				t.Errorf("%s, %s: %v", row.id, c.title, err)
				c.cells[row.id] = "no report"
				return
			}
			c.add(row, r)
			if row.healthy() && row.judge(r) != yes {
				t.Errorf("%s, %s is healthy: %s", row.id, c.title, r.Verdict.Summary)
			}
		})
	}
	all.Wait()
}
