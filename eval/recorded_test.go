package eval

import (
	"context"
	"fmt"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/jstall/jstall/analysis"
	"github.com/jstall/jstall/analysis/finding"
	"github.com/jstall/jstall/internal/source/file"
	observing "github.com/jstall/jstall/internal/source/observe"
)

// live are the kinds that cannot be found from dumps alone.
var live = map[finding.Kind]bool{
	finding.KindGCPressure: true, finding.KindHeapGrowth: true, finding.KindMetaspaceGrowth: true,
	finding.KindCPUStarved:  true,
	finding.KindJITPressure: true, finding.KindLimitNear: true, finding.KindJVMUnresponsive: true,
}

// TestRecorded judges the diagnosis on dumps of the same programs, taken by TestLive. Kinds that need figures of the
// kernel or of the counters are left to TestLive.
func TestRecorded(t *testing.T) {
	all, err := programs()
	if err != nil {
		t.Fatal(err)
	}
	seen := 0
	for _, p := range all {
		if !p.Healthy && live[p.Kinds[0]] {
			continue
		}
		found, err := filepath.Glob(filepath.Join(recorded, "jdk*", p.ID+".txt.zst"))
		if err != nil {
			t.Fatal(err)
		}
		for _, path := range found {
			seen++
			jdk, err := strconv.Atoi(strings.TrimPrefix(filepath.Base(filepath.Dir(path)), "jdk"))
			if err != nil {
				t.Fatal(err)
			}
			t.Run(fmt.Sprintf("jdk%d/%s", jdk, p.ID), func(t *testing.T) { p.judgeSaved(t, jdk, path) })
		}
	}
	if seen < 100 {
		t.Errorf("only %d recorded programs under %s", seen, recorded)
	}
}

func (p program) judgeSaved(t *testing.T, jdk int, path string) {
	s, err := p.scoreSaved(t.Context(), jdk, path)
	if err != nil {
		t.Fatal(err)
	}
	if !s.right() {
		t.Errorf("%s: %s", p.About, s.why)
	}
}

// scoreSaved judges what dumps alone show of a program.
func (p program) scoreSaved(ctx context.Context, jdk int, path string) (score, error) {
	result, err := observing.Take(ctx, &file.Files{Names: []string{path}}, observing.Plan{})
	if err != nil {
		return score{}, err
	}
	return judge(p, jdk, analysis.Diagnose(result.Series, analysis.Options{})), nil
}

// diagnoseSaved is the report on all dumps of a file.
func diagnoseSaved(t *testing.T, path string) *analysis.Report {
	t.Helper()
	result, err := observing.Take(t.Context(), &file.Files{Names: []string{path}}, observing.Plan{})
	if err != nil {
		t.Fatal(err)
	}
	return analysis.Diagnose(result.Series, analysis.Options{})
}
