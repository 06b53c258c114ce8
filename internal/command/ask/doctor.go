package ask

import (
	"strconv"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/jstall/jstall/analysis"
	"github.com/jstall/jstall/attach"
	"github.com/jstall/jstall/internal/jvm"
	"github.com/jstall/jstall/internal/kernel"
	"github.com/jstall/jstall/internal/profile"
	"github.com/jstall/jstall/internal/render"
	"github.com/jstall/jstall/internal/session"
	"github.com/jstall/jstall/internal/shell"
	"github.com/jstall/jstall/internal/source/live"
)

// Doctor is the command doctor.
func Doctor(env *shell.Env) *cli.Command {
	return &cli.Command{
		Name: "doctor", Usage: "whether an attach to a JVM is safe, what it would do, and how to fix what prevents it",
		ArgsUsage: "TARGET…",
		Description: `Makes the checks that every command makes before it attaches: threads, descriptors,
memory, space, rights and state. It sends no signal and no request, and shows
what an attach would do. Exits with 0 if an attach is safe, with 1 if not.

Examples:
   jstall doctor 4711
   jstall doctor OrderService --json`,
		Flags: append([]cli.Flag{
			shell.JSONFlag(),
			shell.SchemaFlag(),
		}, shell.CommonFlags()...),
		Action: func(c *cli.Context) error { return doctor(c, env) },
	}
}

func doctor(c *cli.Context, env *shell.Env) error {
	if err := shell.CheckCommon(c); err != nil {
		return err
	}
	schema, err := shell.ReadSchema(c, c.Bool("json"))
	if err != nil {
		return err
	}
	targets, err := session.Resolve(c.Context, env, c.Args().Slice(), c.Duration("timeout"))
	if err != nil {
		return err
	}
	code := shell.ExitDone
	for _, t := range targets {
		checkup, err := examine(env, t, c.Duration("timeout"))
		if err != nil {
			return err
		}
		if !checkup.Safe {
			code = shell.ExitNothing
		}
		write := func() error {
			return render.Doctor(env.Stdout, checkup, render.Options{Color: env.Colored(c.String("color")),
				Width: env.OutWidth})
		}
		if c.Bool("json") {
			write = func() error { return render.DoctorJSON(env.Stdout, checkup, schema) }
		}
		if err := shell.UnlessReaderLeft(write()); err != nil {
			return err
		}
	}
	return &shell.ExitError{Code: code}
}

// examine checks one target. If a pid cannot be inspected, it makes the checks that are still possible.
func examine(env *shell.Env, t session.Target, timeout time.Duration) (render.Checkup, error) {
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
	session.DescribeTarget(&report, t)
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
