package session

import (
	"strconv"
	"time"

	"github.com/jstall/jstall/analysis"
	"github.com/jstall/jstall/attach"
	"github.com/jstall/jstall/internal/jvm"
	"github.com/jstall/jstall/internal/kernel"
	"github.com/jstall/jstall/internal/profile"
	"github.com/jstall/jstall/internal/render"
	"github.com/jstall/jstall/internal/shell"
	"github.com/jstall/jstall/internal/source/live"
)

// Examine makes the checks of doctor on one target. It sends nothing. If a pid cannot be inspected, it makes
// the checks that are still possible.
func Examine(env *shell.Env, t Target, timeout time.Duration) (render.Checkup, error) {
	pid, notPID := strconv.Atoi(t.Word)
	switch {
	case t.Recorded != nil:
		return render.Checkup{}, shell.Usage("name a pid, or a part of a main class",
			"%s is a recording, and doctor checks running JVMs", t.Files[0])
	case len(t.Files) > 0:
		return render.Checkup{}, shell.Usage("name a pid, or a part of a main class",
			"%s is a file, and doctor checks running JVMs", t.Label())
	case t.Process == nil && (notPID != nil || pid < 1):
		return render.Checkup{}, t.Err
	case t.Process == nil:
		t.Process = &jvm.Process{PID: pid}
	}
	src := live.Source{Kernel: kernel.New(env.ProcRoot), Process: *t.Process, Timeout: timeout}
	found := src.Examine()
	if pid := t.Process.PID; t.Process.LibJVM != "" {
		found.Checks = append(found.Checks, profile.PerfRight(pid))
	}
	report := analysis.Report{}
	DescribeTarget(&report, t)
	if t.Process.Age == 0 {
		report.Target.UptimeSeconds = nil
	}
	out := render.Checkup{Target: report.Target, Safe: found.Safe}
	for _, check := range found.Checks {
		out.Checks = append(out.Checks, render.CheckRow{
			Name: check.Name, Result: string(check.Result), Detail: check.Detail, Remedy: check.Remedy,
		})
	}
	out.Checks = append(out.Checks, prospect(found))
	return out, nil
}

// prospect says what an attach would do.
func prospect(c live.Checkup) render.CheckRow {
	row := render.CheckRow{Name: "attach", Result: string(attach.OK)}
	switch {
	case !c.Safe && c.Readable:
		row.Result = string(attach.NotOK)
		row.Detail = "jstall would send nothing, and read the threads and locks from the JVM's memory"
	case !c.Safe:
		row.Result = string(attach.NotOK)
		row.Detail = "jstall would send nothing, and report what /proc and the counters show"
	case c.Listening:
		row.Detail = "jstall would connect to the existing socket; no signal is needed"
	default:
		row.Detail = "jstall would make a trigger file (.attach_pidN), send SIGQUIT once, which the JVM catches, " +
			"and remove the file when it answers"
	}
	return row
}
