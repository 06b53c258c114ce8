package eval

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/jstall/jstall/analysis"
	"github.com/jstall/jstall/analysis/finding"
	"github.com/jstall/jstall/internal/jvmtest"
)

const frameworks = "../testdata/frameworks"

// framework is one row of testdata/frameworks/truth.tsv, whose head describes the columns: a program on a real
// framework, idle or with its fault.
type framework struct {
	program
	name, mode string
	// jdks are the JDKs with dumps.
	jdks []string
}

func frameworkPrograms() ([]framework, error) {
	text, err := os.ReadFile(filepath.Join(frameworks, "truth.tsv"))
	if err != nil {
		return nil, err
	}
	var rows []framework
	for line := range strings.Lines(string(text)) {
		c := strings.Split(line, "\t")
		if strings.HasPrefix(line, "#") || len(c) < 8 {
			continue
		}
		row := framework{name: c[0], mode: c[1], jdks: strings.Split(c[2], ",")}
		row.program = program{
			ID: c[0] + "-" + c[1], Healthy: c[3] == "healthy", Severity: finding.Warning,
			Culprits: strings.Split(c[4], "|"), Frames: strings.Split(c[5], "|"), About: strings.TrimSpace(c[7]),
		}
		for kind := range strings.SplitSeq(c[3], "|") {
			row.Kinds = append(row.Kinds, finding.Kind(kind))
		}
		row.MinVictims, _ = strconv.Atoi(c[6]) // "-" is 0
		rows = append(rows, row)
	}
	return rows, nil
}

// TestFrameworks compares the diagnosis of three dumps of real servers, clients and libraries with the truth: no
// problem, or one fault.
func TestFrameworks(t *testing.T) {
	rows, err := frameworkPrograms()
	if err != nil || len(rows) < 30 {
		t.Fatalf("%d rows, %v", len(rows), err)
	}
	for _, row := range rows {
		for _, jdk := range row.jdks {
			t.Run(row.ID+"-jdk"+jdk, func(t *testing.T) {
				version, err := strconv.Atoi(jdk)
				if err != nil {
					t.Fatal(err)
				}
				row.judgeSaved(t, version, filepath.Join(frameworks, "dumps", row.ID+"-jdk"+jdk+".txt"))
			})
		}
	}
}

// TestLiveFrameworks runs the same programs with the libraries of Maven Central, on the
// JDKs of EVAL_JDKS (default 17 and 21).
func TestLiveFrameworks(t *testing.T) {
	if os.Getenv("EVAL") == "" {
		t.Skip("runs under `make eval`: it fetches libraries and starts a JVM per program")
	}
	needMaven(t)
	rows, err := frameworkPrograms()
	if err != nil {
		t.Fatal(err)
	}
	for _, version := range versions() {
		jdk := jvmtest.Find(t, version)
		tally := tally{}
		for _, row := range rows {
			if !row.runsOn(jdk.Version) || !row.wanted() {
				continue
			}
			report, err := row.look(t, jdk)
			s := score{why: fmt.Sprint("no report: ", err)}
			if err == nil {
				s = judge(row.program, jdk.Version, report)
			}
			tally.add(row.program, jdk.Version, s)
		}
		fmt.Printf("\nJDK %d, frameworks: %s\n\n", jdk.Version, tally.summary())
		if tally.wrong > 0 {
			t.Errorf("JDK %d: %d programs are not judged right", jdk.Version, tally.wrong)
		}
	}
}

// runsOn reports whether the program's libraries run on that JDK.
func (f framework) runsOn(jdk int) bool {
	oldest, err := strconv.Atoi(f.jdks[0])
	return err == nil && jdk >= oldest
}

// look builds the program, starts it and captures it.
func (f framework) look(t *testing.T, jdk jvmtest.JDK) (*analysis.Report, error) {
	script, err := filepath.Abs(filepath.Join(frameworks, "run.sh"))
	if err != nil {
		return nil, err
	}
	if out, err := exec.CommandContext(t.Context(), script, f.name, "build").CombinedOutput(); err != nil {
		return nil, fmt.Errorf("%w: %s", err, out)
	}
	cmd := exec.Command(script, f.name, f.mode)
	cmd.Env = append(os.Environ(), "JAVA="+jdk.Java())
	cmd.Dir = t.TempDir()
	report, _, err := f.lookAt(t.Context(), cmd)
	return report, err
}
