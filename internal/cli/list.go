package cli

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/jstall/jstall/internal/jvm"
	"github.com/jstall/jstall/internal/kernel"
	"github.com/jstall/jstall/internal/render"
	"github.com/jstall/jstall/internal/shell"
)

func listCommand(env *shell.Env) *cli.Command {
	return &cli.Command{
		Name: "list", Usage: "the running JVMs", ArgsUsage: "[FILTER…]",
		Description: `Lists the HotSpot JVMs of all users that /proc shows, also those in containers. Nothing
is sent to the JVMs.

Examples:
   jstall list
   jstall list order --interval 1s   with their current CPU use
   jstall list --on ssh:web1 --on k8s:shop/orders-1
   jstall list --json`,
		Flags: append([]cli.Flag{
			&cli.DurationFlag{Name: "interval", Aliases: []string{"i"},
				Usage: "measure the current CPU use for this long", DefaultText: "not measured"},
			&cli.BoolFlag{Name: "json", Usage: "one JSON document"},
			shell.SchemaFlag(),
			&cli.StringFlag{Name: "color", Value: "auto", Usage: "auto, always or never; NO_COLOR is honoured"},
		}, shell.OnFlags()...),
		Action: func(c *cli.Context) error { return list(c, env) },
	}
}

func list(c *cli.Context, env *shell.Env) error {
	if err := shell.NeedsLinux(); err != nil {
		return err
	}
	interval := c.Duration("interval")
	if interval < 0 {
		return shell.Usage("--interval 1s", "--interval must not be negative")
	}
	schema, err := shell.ReadSchema(c, c.Bool("json"))
	if err != nil {
		return err
	}
	found, rows, err := listRows(c.Context, env, c.Args().Slice(), interval)
	if err != nil {
		return err
	}
	tellHidden(env, found)
	switch {
	case c.Bool("json"):
		err = render.ListJSON(env.Stdout, rows, schema)
	case len(rows) > 0 || !c.Args().Present():
		err = render.List(env.Stdout, rows, render.Options{Color: env.Colored(c.String("color")), Width: env.OutWidth})
	}
	if err := shell.UnlessReaderLeft(err); err != nil {
		return err
	}
	return listsAll(env, c.Args().Slice(), found)
}

// listsAll reports the filters that match no JVM.
func listsAll(env *shell.Env, filters []string, found *jvm.Found) error {
	code := shell.ExitDone
	for _, filter := range filters {
		fits := func(p jvm.Process) bool { return matchesAny(p, []string{filter}) }
		if filter == "all" || slices.ContainsFunc(found.Processes, fits) {
			continue
		}
		f := shell.Failure(noMatch(env, filter, found))
		env.Complain(f.Message, f.Remedy)
		code = shell.ExitNothing
	}
	return &shell.ExitError{Code: code}
}

func listRows(ctx context.Context, env *shell.Env, filters []string, interval time.Duration) (*jvm.Found,
	[]render.ListRow, error) {
	k := kernel.New(env.ProcRoot)
	found, err := jvm.Find(ctx, k, jvm.FindOptions{})
	if err != nil {
		return nil, nil, err
	}
	percent, err := cpuNow(ctx, k, found.Processes, interval)
	if err != nil {
		return nil, nil, err
	}
	rows := []render.ListRow{}
	for _, p := range found.Processes {
		if matchesAny(p, filters) {
			rows = append(rows, listRow(p, percent[p.PID]))
		}
	}
	return &found, rows, nil
}

func matchesAny(p jvm.Process, filters []string) bool {
	for _, f := range filters {
		if f == "all" || f == fmt.Sprint(p.PID) || matches(p, f) {
			return true
		}
	}
	return len(filters) == 0
}

// cpuNow measures what each process uses over the interval, in percent of one
// core; one that ended in the meantime has no figure.
func cpuNow(ctx context.Context, k *kernel.Reader, processes []jvm.Process, interval time.Duration) (map[int]*float64,
	error) {
	if interval == 0 {
		return nil, nil
	}
	before, start := cpuTimes(k, processes), time.Now()
	select {
	case <-time.After(interval):
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	after, elapsed := cpuTimes(k, processes), time.Since(start)
	percent := map[int]*float64{}
	for pid, is := range after {
		if was, ok := before[pid]; ok {
			v := 100 * float64(is-was) / float64(elapsed)
			percent[pid] = &v
		}
	}
	return percent, nil
}

func cpuTimes(k *kernel.Reader, processes []jvm.Process) map[int]time.Duration {
	times := map[int]time.Duration{}
	for _, p := range processes {
		raw, err := k.ReadFile(p.PID, "stat")
		if err != nil {
			continue
		}
		if stat, err := kernel.ParseStat(raw); err == nil && stat.StartTime == p.StartTime {
			times[p.PID] = stat.CPU()
		}
	}
	return times
}

func listRow(p jvm.Process, percent *float64) render.ListRow {
	uptime, cpu := p.Age.Seconds(), p.CPU.Seconds()
	row := render.ListRow{
		PID: p.PID, MainClass: p.Name(), JVM: p.VMName, Version: p.JavaVersion, User: p.User,
		UptimeSeconds: &uptime, CPUSeconds: &cpu, CPUPercent: percent, Threads: &p.Threads,
		Container: p.Container, Note: cmp.Or(p.NotSupported, p.Incomplete),
	}
	// the counters of most collectors move at collections only: before the first
	// one they say nothing
	if p.HeapUsed.Known && p.HeapUsed.Value > 0 {
		row.HeapUsedBytes = &p.HeapUsed.Value
	}
	if p.HeapMax.Known {
		row.HeapMaxBytes = &p.HeapMax.Value
	}
	if p.NSPID != p.PID {
		row.NamespacePID = &p.NSPID
	}
	return row
}

func tellHidden(env *shell.Env, found *jvm.Found) {
	if found.Hidden > 0 {
		env.Say("jstall: %s\n", hiddenOnes(found))
	}
	for _, pid := range found.Silent {
		env.Say("jstall: process %d left out: the kernel did not answer in time; its state: cat /proc/%d/status\n", pid,
			pid)
	}
}

// hiddenOnes says how many processes may be JVMs, and what it takes to know.
func hiddenOnes(found *jvm.Found) string {
	return fmt.Sprintf("%d more %s cannot be read: that needs %s", found.Hidden, processes(found.Hidden), found.Missing)
}

func processes(n int) string {
	if n == 1 {
		return "process"
	}
	return "processes"
}
