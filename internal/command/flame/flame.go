// Package flame is the command flame: it profiles a running JVM, a program that it starts, or files, and shows or
// writes the profile.
package flame

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"strings"

	pprof "github.com/google/pprof/profile"
	"github.com/urfave/cli/v2"

	"github.com/jstall/jstall/flame"
	"github.com/jstall/jstall/internal/ending"
	"github.com/jstall/jstall/internal/session"
	"github.com/jstall/jstall/internal/session/places"
	"github.com/jstall/jstall/internal/shell"
	"github.com/jstall/jstall/internal/source"
)

// Command is the command flame.
func Command(env *shell.Env) *cli.Command {
	return &cli.Command{
		Name: "flame", Usage: "a profile: where the CPU time goes, as a flame graph or a table",
		ArgsUsage:   "TARGET | FILE… | -- COMMAND…",
		Description: flameHelp,
		Flags:       flameFlags(),
		Action:      func(c *cli.Context) error { return runFlame(c, env) },
	}
}

const flameHelp = `Shows where the CPU time goes. The CPU time of each thread is exact: the kernel counts it. Samples
show which methods used it. --engine chooses how samples are taken:

   perf    The kernel takes a sample each time a thread has used some milliseconds of CPU time.
           Samples have Java, native and kernel frames. The JVM is not paused and gets no request.
           Needs perf events and the right to read the JVM's memory: see jstall doctor PID.
   jfr     The JVM's flight recorder takes the samples. They have Java frames only. Before JDK 25
           they also count threads that wait for a CPU. Also for --event alloc and --event lock.
   dumps   jstall takes thread dumps, as many as --max-pause-share allows. A dump shows each
           thread at its next safepoint, so the shares of methods are biased. The first line
           below the table warns if they are not reliable.
   async   async-profiler takes the samples: the library that the JVM has loaded, or that of
           --async-lib. Samples have Java, native and kernel frames, without bias. It is an
           agent: its code runs in the JVM and stays loaded until the JVM ends.
   auto    perf if it is allowed, else jfr (JDK 25 or newer), else dumps; never async.

For waits use --weight wall or --idle. With --weight wall, auto reads stacks from the JVM's
memory if that is allowed, without a pause, and else takes dumps.

The last lines of the output name the engine, why it was chosen, and the margin of error.

A FILE holds thread dumps, a flight recording, collapsed stacks or a pprof profile, of
jstall or of another tool.

Outputs, by extension or --as: .html (one page, needs no network), .pb.gz (go tool pprof),
.collapsed or .folded (one stack per line, outermost frame first), .speedscope.json,
.json (d3-flame-graph). Without -o, a table of methods: the samples with the method anywhere
on the stack, those with the method on top, and the CPU time of both. With --method, the
callers and callees of a method.

Examples:
   jstall flame 4711                            ten seconds, as a table
   jstall flame 4711 -d 30s -o out.html
   jstall flame 4711 --method 'HashMap\.get$'     who calls it, and what it calls
   jstall flame 4711 -o - --as collapsed | flamegraph.pl > out.svg
   jstall flame dump1.txt dump2.txt -o out.speedscope.json
   jstall flame new.pb.gz --diff old.pb.gz -o diff.html
   jstall flame 4711 --engine jfr --event alloc -o alloc.html
   jstall flame 4711 --engine async --async-lib libasyncProfiler.so -o out.html
   jstall flame --on k8s:shop/orders-1 --on k8s:shop/orders-2 -o pods.html   their sum
   jstall flame -o out.pb.gz -- java -jar app.jar`

func readFlameOptions(c *cli.Context, env *shell.Env) (flameOptions, error) {
	o := flameOptions{
		attachAnyway: c.Bool(shell.AttachAnyway),
		duration:     c.Duration("duration"), interval: c.Duration("interval"), timeout: c.Duration("timeout"),
		weight: c.String("weight"), engine: c.String("engine"), event: flame.Event(c.String("event")),
		eventSet: c.IsSet("event"), asyncLib: c.String("async-lib"),
		top: c.Int("top"), threadWord: c.String("thread"),
		labelFrom: c.StringSlice("label-from"), by: c.String("by"),
		idle: c.Bool("idle"), exactNames: c.Bool("exact-names"),
		durationSet: c.IsSet("duration"), base: c.String("diff"), http: c.String("http"), children: c.Bool("children"),
		color: env.Colored(c.String("color")), args: env.Args,
	}
	if c.Bool("by-thread") {
		o.by = flame.LabelThread
	}
	var err error
	if o.thread, err = shell.ThreadFilter(o.threadWord); err != nil {
		return o, err
	}
	if o.method, err = readMethod(c); err != nil {
		return o, err
	}
	if o.pauseShare, err = parseShare(c.String("max-pause-share")); err != nil {
		return o, err
	}
	if o.output, err = readOutput(c); err != nil {
		return o, err
	}
	if err := o.checkFlags(c); err != nil {
		return o, err
	}
	if err := o.checkEngine(c); err != nil {
		return o, err
	}
	return o, shell.CheckCommon(c)
}

// checkFlags refuses values that no profile can have, and flags that exclude each other.
func (o *flameOptions) checkFlags(c *cli.Context) error {
	switch {
	case o.duration <= 0:
		return shell.Usage("-d 10s", "--duration must be positive, not %s", o.duration)
	case o.interval < 0:
		return shell.Usage("--interval 100ms", "--interval must not be negative")
	case o.top < 0:
		return shell.Usage("", "--top must not be negative")
	case o.children && shell.AfterDashes(o.args) == nil:
		return shell.Usage("jstall flame --children -- mvn verify",
			"--children is for a program that jstall starts: it needs -- COMMAND")
	case c.Bool("by-thread") && c.IsSet("by"):
		return shell.Usage("--by thread", "--by-thread and --by are two groupings: choose one")
	case o.http != "" && c.IsSet("output"):
		return shell.Usage("", "--http shows the profile, -o writes it: choose one")
	case o.base != "" && o.output.format == asSpeedscope:
		return shell.Usage("--as pprof, collapsed or json", "speedscope's format cannot hold a difference")
	}
	return nil
}

// parseShare reads "2%", "2 %", "2" or "0.5%" as a part of one.
func parseShare(word string) (float64, error) {
	number := strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(word), "%"))
	percent, err := strconv.ParseFloat(number, 64)
	if err != nil || !(percent > 0 && percent <= 100) {
		return 0, shell.Usage("--max-pause-share 2%", "--max-pause-share is a percentage from 0 to 100, not %q", word)
	}
	return percent / 100, nil
}

func runFlame(c *cli.Context, env *shell.Env) error {
	o, err := readFlameOptions(c, env)
	if err != nil {
		return err
	}
	if err := o.output.Check(); err != nil {
		return err
	}
	g, err := gather(c, env, o)
	if refused, ok := errors.AsType[*session.Refusal](err); ok {
		return refused.End(env)
	}
	if err != nil {
		return err
	}
	if o.thread != nil && len(g.profile.Sample) == 0 {
		return shell.NoResult("--by-thread without --thread shows all sampled threads",
			"no sampled thread matches --thread %q", o.threadWord)
	}
	if err := flame.CheckWeights(g.profile); err != nil {
		return shell.NoResult("", "no profile: %v", err)
	}
	defer shell.GrowFreely()()
	if o.base != "" {
		if err := subtractBase(c.Context, env, &g, o); err != nil {
			return err
		}
	}
	if c.Err() != nil {
		defer ending.Work(c.Context, "writing the profile")()
	}
	if err := shell.UnlessReaderLeft(deliver(c.Context, env, g, o)); err != nil {
		return err
	}
	return &shell.ExitError{Code: g.code}
}

// gather makes the profile of the named targets.
func gather(c *cli.Context, env *shell.Env, o flameOptions) (gathered, error) {
	if command := shell.AfterDashes(env.Args); command != nil {
		defer ending.Work(c.Context, "ending the program")()
		return gatherLaunched(c.Context, env, command, o)
	}
	e, err := places.Read(c)
	switch {
	case err != nil:
		return gathered{}, err
	case e != nil:
		return gatherThere(c, env, e, o)
	}
	targets, err := places.Resolve(c, env, o.timeout)
	if err != nil {
		return gathered{}, err
	}
	for _, t := range targets {
		if t.Err != nil {
			return gathered{}, t.Err
		}
	}
	if len(targets) != 1 {
		return gathered{}, shell.Usage("jstall list shows them", "a profile covers one JVM; %d targets were named",
			len(targets))
	}
	if slices.Contains([]string{engineJFR, enginePerf, engineAsync}, o.engine) && targets[0].Process == nil {
		return gathered{}, shell.Usage("omit --engine: it is not needed to read a file",
			"--engine %s profiles a running JVM; %s is not one", o.engine, targets[0].Label())
	}
	if err := shell.RefuseUnused(c, session.AllSaved(targets), o.exempt()...); err != nil {
		return gathered{}, err
	}
	if t := targets[0]; t.Recorded != nil {
		return gatherReplay(c.Context, t, o)
	}
	if targets[0].Process == nil {
		return gatherFiles(c.Context, env, targets[0].Files, o)
	}
	defer session.Finishing(c.Context, targets)()
	return gatherRunning(c.Context, env, targets[0], o)
}

func subtractBase(ctx context.Context, env *shell.Env, g *gathered, o flameOptions) error {
	o.eventSet = false // the base may be of another kind
	base, err := gatherFiles(ctx, env, []string{o.base}, o)
	if err != nil {
		return err
	}
	hint := unitHint([]*pprof.Profile{g.profile, base.profile})
	if g.profile, err = flame.Diff(g.profile, base.profile); err != nil {
		return shell.NoResult(hint, "%v", err)
	}
	g.notes = append(append(g.notes, "Compared with "+source.NameOf(o.base)+"."), base.notes...)
	g.code = shell.WorstCode([]int{g.code, base.code})
	return nil
}
