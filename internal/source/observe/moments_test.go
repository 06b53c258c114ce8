package observe

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/jstall/jstall/analysis/timeline"
	"github.com/jstall/jstall/attach"
	"github.com/jstall/jstall/internal/recording"
	"github.com/jstall/jstall/internal/source/form"
	"github.com/jstall/jstall/threaddump"
)

func TestSilenceIsOneObservationPerMoment(t *testing.T) {
	stat := "7 (java) T 3 " + strings.Repeat("1 ", 48) + "9 0\n"
	entry := func(at time.Duration, kind recording.Kind, name, text string) recording.Entry {
		return recording.Entry{Kind: kind, Name: name, Bytes: []byte(text), At: at}
	}
	entries := []recording.Entry{
		{
			Kind: recording.ThreadDump,
			Err:  &attach.Error{Phase: attach.PhaseRead, Code: attach.CodeTimeout, Cause: "silent"},
		},
		{Kind: recording.Jcmd, Err: errors.New("silent too"), At: 1},
		entry(2, recording.Process, "", stat), entry(2, recording.Tasks, form.AllTasks, "7 1 -1 T - \"java\"\n"),
		entry(2, recording.Kernel, form.FileFrozen, "THAWED\n"),
		entry(9, recording.Process, "", stat), entry(9, recording.Kernel, form.FileFrozen, "FROZEN\n"),
		entry(9, recording.Kernel, form.FileClients, "a line\nanother\n"),
		entry(9, recording.Kernel, form.FileVMStat, "oom_kill 4\n"),
		entry(9, recording.Kernel, "process/status",
			"State:\tT (stopped)\nTracerPid:\t12\nVmSwap:\t  3 kB\nSigIgn:\t0000000000000004\n"),
	}
	var seen []timeline.Observation
	o := NewObserver(func(o timeline.Observation) { seen = append(seen, o) })
	if err := o.Observe(entries); err != nil {
		t.Fatal(err)
	}
	if len(seen) != 2 || seen[0].Attempt != nil || seen[1].Attempt == nil ||
		seen[1].Attempt.Code != attach.CodeTimeout {
		t.Fatalf("%+v", seen)
	}
	checkSilence(t, seen[0], seen[1].Process)
}

// checkSilence checks the facts of the first moment, and the process of the second.
func checkSilence(t *testing.T, first timeline.Observation, p *timeline.Process) {
	t.Helper()
	if len(first.Tasks) != 1 || first.Process.Frozen || first.Process.State != "T" || first.Process.Parent != 3 {
		t.Errorf("first: %+v %+v", first, first.Process)
	}
	if !p.Frozen || p.Clients != 2 || p.OOMKills != threaddump.Known(int64(4)) {
		t.Errorf("second: %+v", p)
	}
	if p.Tracer != 12 || !p.IgnoresQuit || p.CatchesQuit || p.Swapped != threaddump.Known(int64(3<<10)) {
		t.Errorf("second: %+v", p)
	}
}
