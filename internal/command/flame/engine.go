package flame

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/urfave/cli/v2"

	"github.com/jstall/jstall/flame"
	"github.com/jstall/jstall/internal/session"
	"github.com/jstall/jstall/internal/shell"
)

// The engines of profiles.
const (
	engineAuto  = "auto"
	enginePerf  = "perf"
	engineDumps = "dumps"
	engineJFR   = "jfr"
	engineAsync = "async"
)

// eventITimer is async-profiler's name for CPU time measured by another timer. Each engine chooses its timer itself.
const eventITimer = "itimer"

// firstCPUTimeSampler is the first JDK whose flight recorder samples by CPU time (JEP 509).
const firstCPUTimeSampler = 25

// checkEvent checks --event. For dumps, which have both weights, --event also chooses the weight.
func (o *flameOptions) checkEvent() error {
	if o.event == eventITimer {
		o.event = flame.EventCPU
	}
	events := []flame.Event{flame.EventCPU, flame.EventWall, flame.EventAlloc, flame.EventLock, flame.EventNativeMem}
	if !slices.Contains(events, o.event) {
		return shell.Usage("--event cpu", "--event is cpu, wall, alloc, lock or nativemem, not %q", string(o.event))
	}
	records := o.engine == engineJFR || o.engine == engineAsync
	if o.event == flame.EventWall && o.weight == "" && !records {
		o.weight = flame.Wall
	}
	if o.asyncLib != "" && o.engine != engineAsync {
		return shell.Usage("--engine async", "--async-lib is for --engine async")
	}
	return nil
}

func (o *flameOptions) checkEngine(c *cli.Context) error {
	if err := o.checkEvent(); err != nil {
		return err
	}
	ofDumps := c.IsSet("interval") || c.IsSet("max-pause-share")
	switch o.engine {
	case engineAuto:
		o.needsDumps = ofDumps || o.weight == flame.Wall || o.idle
		o.prefersMemory = o.weight == flame.Wall && !ofDumps
	case enginePerf:
		return o.checkPerf(ofDumps)
	case engineDumps:
	case engineJFR, engineAsync:
		if shell.AfterDashes(o.args) != nil {
			return shell.Usage("jstall flame --engine "+o.engine+" PID",
				"jstall flame -- COMMAND profiles with dumps only")
		}
	default:
		return shell.Usage("--engine auto", "--engine is auto, perf, jfr, dumps or async, not %q", o.engine)
	}
	return nil
}

func (o *flameOptions) checkPerf(ofDumps bool) error {
	switch {
	case shell.AfterDashes(o.args) != nil:
		return shell.Usage("jstall flame --engine perf PID", "jstall flame -- COMMAND profiles with dumps only")
	case o.event == flame.EventAlloc || o.event == flame.EventLock:
		return shell.Usage("--engine jfr --event "+string(o.event), "perf events sample CPU time, not %s", o.event)
	case o.weight == flame.Wall || o.idle:
		return shell.Usage("--engine dumps --weight wall", "perf events sample threads that run: they show no waits")
	case ofDumps:
		return shell.Usage("omit --interval and --max-pause-share",
			"perf events pause nothing: these flags are for thread dumps")
	}
	return nil
}

// gatherRunning profiles one running JVM with the requested engine, or with the best available one.
func gatherRunning(ctx context.Context, env *shell.Env, t session.Target, o flameOptions) (gathered, error) {
	allocates := o.event == flame.EventAlloc || o.event == flame.EventLock
	switch {
	case len(o.labelFrom) > 0 && o.engine != engineJFR && o.engine != engineAuto:
		return gathered{}, shell.Usage("--engine jfr",
			"--label-from is for a flight recording; --engine %s makes none with "+
				"events of the application", o.engine)
	case len(o.labelFrom) > 0:
		return gatherRecording(ctx, env, t, o)
	case o.engine == engineAsync:
		return gatherAsync(ctx, env, t, o)
	case o.event == flame.EventNativeMem:
		return gathered{}, shell.Usage("--engine async --event nativemem",
			"only async-profiler records nativemem events")
	case o.engine == engineJFR, o.engine == engineAuto && allocates:
		return gatherRecording(ctx, env, t, o)
	case allocates:
		return gathered{}, shell.Usage("--engine jfr --event "+string(o.event),
			"thread dumps have no %s events; the flight recorder has", o.event)
	case o.engine == engineDumps || o.needsDumps:
		return gatherLive(ctx, env, t, o)
	}
	g, err := gatherSampled(ctx, env, t, o)
	cause, remedy, cannot := cannotSample(err)
	switch {
	case !cannot:
		return g, err
	case o.engine == enginePerf:
		return g, &shell.ExitError{Code: shell.ExitNoDump, Message: t.Label() + ": " + cause,
			Hint: cmp.Or(remedy, "--engine dumps works with every JVM")}
	}
	return gatherWithoutPerf(ctx, env, t, o, cause, remedy)
}

// gatherWithoutPerf takes the next best engine, and says why.
func gatherWithoutPerf(ctx context.Context, env *shell.Env, t session.Target, o flameOptions, cause, remedy string,
) (gathered, error) {
	because := "as " + cause
	if remedy != "" {
		because += "; " + remedy
	}
	if t.Process.Major >= firstCPUTimeSampler {
		g, err := gatherRecording(ctx, env, t, o)
		if err == nil {
			g.notes = append(g.notes, "Engine: the JVM's flight recorder, "+because+".")
			return g, nil
		}
		because += fmt.Sprintf("; nor can it be recorded: %v", err)
	}
	g, err := gatherLive(ctx, env, t, o)
	if err == nil {
		g.notes = append(g.notes, "Engine: thread dumps, "+because+".")
	}
	return g, err
}
