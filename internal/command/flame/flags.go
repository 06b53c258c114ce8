package flame

import (
	"time"

	"github.com/urfave/cli/v2"

	"github.com/jstall/jstall/flame"
	"github.com/jstall/jstall/internal/shell"
)

func flameFlags() []cli.Flag {
	return append([]cli.Flag{
		&cli.DurationFlag{Name: "duration", Aliases: []string{"d"}, Value: 10 * time.Second,
			Usage: "how long to sample"},
		&cli.StringFlag{Name: "output", Aliases: []string{"o"},
			Usage: "write the profile to `FILE`; - is standard output"},
		&cli.StringFlag{Name: "as",
			Usage: "write the profile in this `FORMAT`: html, pprof, collapsed, speedscope or json"},
		shell.ForceFlag(),
		shell.AttachAnywayFlag(),
		shell.RecordingFlag(),
		&cli.DurationFlag{Name: "interval", Aliases: []string{"i"}, DefaultText: "as short as --max-pause-share allows",
			Usage: "time from one dump to the next; overrides --max-pause-share; with --engine async: time from one " +
				"sample of a thread to the next"},
		&cli.StringFlag{Name: "max-pause-share", Value: "2%",
			Usage: "with --engine dumps: how much of its time the target may lose to pauses and to the CPU use of " +
				"jstall; at least two dumps are taken"},
		&cli.StringFlag{Name: "engine", Value: engineAuto,
			Usage: "how samples are taken, see above; auto chooses perf, jfr or dumps; async loads async-profiler " +
				"into the target, where it stays loaded"},
		&cli.StringFlag{Name: "async-lib", Usage: "with --engine async: libasyncProfiler.so, or the jar of " +
			"ap-loader or async-profiler, in `FILE`; not needed where the target has it loaded"},
		&cli.StringFlag{Name: "event", Aliases: []string{"e"}, Value: string(flame.EventCPU),
			Usage: "what is sampled (itimer is the same as cpu); alloc (allocations) and lock need --engine jfr, " +
				"--engine async or a recording; nativemem (malloc) needs --engine async or its recording"},
		&cli.StringFlag{Name: "weight", DefaultText: "the first of these that is known",
			Usage: "the figure that the profile adds up: CPU time, wall-clock time (which shows waits), or the " +
				"number of samples"},
		&cli.IntFlag{Name: "top", Value: 20, Usage: "show the first `N` methods of the table"},
		&cli.StringFlag{Name: "thread", Usage: "only threads whose name matches `REGEX`, or the one with this " +
			"native id (decimal as top -H shows it, or hex)"},
		&cli.StringFlag{Name: "method", Usage: "show the callers and callees of the methods that match `REGEX`"},
		&cli.BoolFlag{Name: "by-thread", Usage: "one table, or one root frame, per thread"},
		&cli.StringSliceFlag{Name: "label-from", Usage: "label the samples of a flight recording by a field of the " +
			"events around them, `EVENT.FIELD`, such as com.example.Order.customer; context: all contextual fields; " +
			"may be repeated"},
		&cli.StringFlag{Name: "by", Usage: "one table, or one root frame, per value of `LABEL`: a field of " +
			"--label-from, thread, pool or state"},
		&cli.BoolFlag{Name: "idle", Usage: "count waiting threads too in the table"},
		&cli.BoolFlag{Name: "exact-names",
			Usage: "keep the numbers of generated classes, which differ from run to run"},
		&cli.StringFlag{Name: "diff", Usage: "compare with `BASE`, a file with dumps or a profile"},
		&cli.StringFlag{Name: "http",
			Usage: "show the profile in pprof's own web UI at `ADDR`, such as localhost:8080"},
		&cli.BoolFlag{Name: "children", Usage: "with -- COMMAND: profile the JVMs that it starts"},
	}, shell.CommonFlags()...)
}
