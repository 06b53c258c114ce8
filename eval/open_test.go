package eval

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/jstall/jstall/analysis"
	"github.com/jstall/jstall/internal/jvmtest"
)

// notHosted are the programs that cannot run with the work of testdata/eval/openworld, and the reason.
var notHosted = map[string]string{
	"Engraver": "compiles each method before its first call, which takes minutes for the libraries",
}

// TestLiveOpen runs the programs like TestLive, in a process that also has an idle connection pool, an idle web server,
// idle event loops and a scheduler. EVAL_RECORD=1 runs only the programs with dumps for TestRecorded, and keeps the
// dumps for TestRecordedOpen, whatever they show.
func TestLiveOpen(t *testing.T) {
	if os.Getenv("EVAL") == "" {
		t.Skip("runs under `make eval`: it fetches libraries and starts a JVM per program")
	}
	host := buildHost(t)
	all, err := programs()
	if err != nil {
		t.Fatal(err)
	}
	all = slices.DeleteFunc(all, func(p program) bool { return notHosted[p.ID] != "" })
	if os.Getenv("EVAL_RECORD") != "" {
		all = slices.DeleteFunc(all, func(p program) bool { return !p.isRecorded(versions()[0]) })
	}
	evaluate(t, "with other work", all, func(p program, jdk jvmtest.JDK) (*analysis.Report, error) {
		report, dumps, err := p.look(t, jdk, host)
		if err == nil && os.Getenv("EVAL_RECORD") != "" && p.isRecorded(fmt.Sprint(jdk.Version)) {
			err = pack(filepath.Join(recorded, fmt.Sprintf("open%d", jdk.Version), p.ID+".txt.zst"), dumps)
		}
		return report, err
	})
}

// buildHost is the class path of the program that starts the others with idle work.
func buildHost(t *testing.T) string {
	t.Helper()
	needMaven(t)
	cmd := exec.CommandContext(t.Context(), filepath.Join(sources, "openworld", "build.sh"))
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(string(out))
}

// isRecorded reports whether TestRecorded judges dumps of the program.
func (p program) isRecorded(jdk string) bool {
	if !p.Healthy && live[p.Kinds[0]] {
		return false
	}
	_, err := os.Stat(filepath.Join(recorded, "jdk"+jdk, p.ID+".txt.zst"))
	return err == nil
}
