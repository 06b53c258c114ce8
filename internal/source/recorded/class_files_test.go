package recorded

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/jstall/jstall/analysis"
	"github.com/jstall/jstall/analysis/finding"
	"github.com/jstall/jstall/internal/recording"
	"github.com/jstall/jstall/internal/source/observe"
)

// Recordings of earlier versions hold the content of class files as a separate reading: it is ignored without a
// warning.
func TestRecordingsWithClassFilesAreRead(t *testing.T) {
	text, err := os.ReadFile("../../../testdata/dumps/jdk21/mondl-threaddump-l-e.txt")
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "old.zip")
	w, err := recording.Create(path, recording.Manifest{}, false)
	if err != nil {
		t.Fatal(err)
	}
	j := w.JVM(recording.Target{PID: 7})
	err = errors.Join(
		j.Add("", []recording.Entry{{Kind: recording.ThreadDump, Bytes: text}}),
		j.Add(
			"classes",
			[]recording.Entry{
				{Kind: "classes", Bytes: []byte("upgrades Desk.entry:5>lock\nstraight Desk.entry:5>lock\n")},
			},
		),
		j.Add("more", []recording.Entry{{Kind: recording.Jcmd, Name: "VM.uptime", Bytes: []byte("1 s\n")}}),
	)
	j.Finish(recording.End{})
	if err := errors.Join(err, w.Close()); err != nil {
		t.Fatal(err)
	}
	r, err := recording.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = r.Close() }()
	result, err := observe.Take(t.Context(), Replay(r, r.Manifest.JVMs[0]), observe.Plan{})
	if err != nil || result.Dumps != 1 || len(result.Warnings) > 0 || result.Partial != nil {
		t.Fatalf("%v, %+v", err, result)
	}
	if f := analysis.Diagnose(result.Series, analysis.Options{}).Findings; len(f) == 0 ||
		f[0].Kind != finding.KindDeadlock {
		t.Errorf("%+v", f)
	}
}
