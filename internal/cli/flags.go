package cli

import (
	"fmt"
	"runtime"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/jstall/jstall/analysis"
	"github.com/jstall/jstall/analysis/finding"
	"github.com/jstall/jstall/internal/render"
	"github.com/jstall/jstall/internal/source"
)

// captureFlags shape how a capture is taken and what is shown of it; every command
// that analyses has them, with the same meaning.
func captureFlags(count int) []cli.Flag {
	return append(takeFlags(count), []cli.Flag{
		formatFlag(),
		jsonFlag(),
		schemaFlag(),
		&cli.IntFlag{Name: "max-tokens", Usage: "shorten Markdown to `N` tokens of four characters, the least " +
			"important parts first", DefaultText: "no bound"},
		&cli.BoolFlag{Name: "full", Usage: "show all tables"},
		&cli.IntFlag{Name: "top", Usage: "show the `N` first threads of a table",
			DefaultText: "as many as the view has"},
		&cli.StringFlag{Name: "thread", Usage: "show only threads whose name matches `REGEX`, or the one with this " +
			"native id (decimal as top -H shows it, or hex)"},
		&cli.IntFlag{Name: "stack-depth", Usage: "show at most `N` frames of a stack",
			DefaultText: "as many as the view has"},
		&cli.BoolFlag{Name: "intelligent-filter", Usage: "leave JDK and framework frames out of stacks"},
		&cli.BoolFlag{Name: "no-native", Usage: "leave out threads whose top frame is native"},
		&cli.StringFlag{Name: "fail-on", Usage: "exit with 3 if a finding is at least `critical|warning`"},
		platformOnlyFlag(),
		&cli.StringFlag{Name: "keep", Usage: "also save the capture of running JVMs as the recording `FILE`.zip"},
		recordingFlag(),
		historyFlag(),
	}...)
}

const (
	// manyDumps is how many dumps may be taken one after the other; more of them take an interval of leastOfMany.
	manyDumps   = 100
	leastOfMany = 100 * time.Millisecond
)

// takeFlags say what is taken of a JVM, and how it is asked.
func takeFlags(count int) []cli.Flag {
	return append([]cli.Flag{
		forceFlag(),
		attachAnywayFlag(),
		&cli.IntFlag{Name: "count", Aliases: []string{"dump-count", "n"}, Value: count, Usage: "take `N` thread dumps"},
		&cli.DurationFlag{Name: "interval", Aliases: []string{"i"}, Value: time.Second,
			Usage: "from the start of one dump to the next"},
		viaFlag(),
		&cli.StringFlag{Name: "locks", Value: "auto",
			Usage: "ask for the owners of j.u.c. locks: auto, always or never; the JVM pauses for a walk of its heap"},
		&cli.DurationFlag{Name: "max-pause", Value: source.DefaultMaxPause,
			Usage: "the longest pause that --locks auto, or --full of record, may cause"},
		&cli.StringFlag{Name: "virtual", Value: "auto",
			Usage: "list virtual threads: auto, never, or always (Java code in the JVM writes them; not on 24, 25)"},
	}, append(redactFlags(), commonFlags()...)...)
}

// withoutVirtual are the flags of a command that never lists virtual threads.
func withoutVirtual(flags []cli.Flag) []cli.Flag {
	for i, f := range flags {
		if text, ok := f.(*cli.StringFlag); ok && text.Name == "virtual" {
			flags[i] = &cli.StringFlag{Name: "virtual", Value: "never",
				Usage: "as in the other commands; always is refused: this command never lists virtual threads"}
		}
	}
	return flags
}

// platformOnlyFlag is that of commands whose exit code rests on a diagnosis.
func platformOnlyFlag() cli.Flag {
	return &cli.BoolFlag{Name: "platform-only",
		Usage: "judge by the platform threads where virtual threads exist and are not shown, instead of exit code 5"}
}

func formatFlag() cli.Flag {
	return &cli.StringFlag{Name: "format", Value: "text", Usage: "text, json or markdown"}
}

func jsonFlag() cli.Flag {
	return &cli.BoolFlag{Name: "json", Usage: "one JSON document per target (see jstall schema)"}
}

// schemaFlag is that of every command that writes JSON.
func schemaFlag() cli.Flag {
	return &cli.IntFlag{Name: "schema", Value: analysis.SchemaVersion,
		Usage: "write JSON in the form of schema `N`: 3, or 2 (until the next release)"}
}

// readSchema reads --schema, which is for JSON alone.
func readSchema(c *cli.Context, inJSON bool) (int, error) {
	schema := c.Int("schema")
	if c.IsSet("schema") && !inJSON {
		return 0, usage(fmt.Sprintf("--json --schema %d", schema), "--schema needs --json")
	}
	if schema < analysis.OldestSchema || schema > analysis.SchemaVersion {
		return 0, usage(fmt.Sprintf("--schema %d", analysis.SchemaVersion), "--schema is %d or %d, not %d",
			analysis.OldestSchema, analysis.SchemaVersion, schema)
	}
	return schema, nil
}

func recordingFlag() cli.Flag {
	return &cli.StringFlag{Name: "f", Aliases: []string{"file"},
		Usage: "choose among the JVMs of the recording `FILE`.zip"}
}

// historyFlag is that of commands that may take the whole of a recording by watch.
func historyFlag() cli.Flag {
	return &cli.BoolFlag{Name: "history",
		Usage: "of a recording by watch, also use the readings before and after the event"}
}

// forceFlag is that of every command that writes a file. It attaches to nothing.
func forceFlag() cli.Flag {
	return &cli.BoolFlag{Name: "force", Usage: "replace a file that exists"}
}

// attachAnyway is the name of the flag of every command that attaches to a JVM. It replaces no file.
const attachAnyway = "attach-anyway"

func attachAnywayFlag() cli.Flag {
	return &cli.BoolFlag{Name: attachAnyway,
		Usage: "attach although a check predicts harm to the JVM (never if the attach would end it)"}
}

// commonFlags are those of every command that touches a JVM.
func commonFlags() []cli.Flag {
	return append([]cli.Flag{
		&cli.DurationFlag{Name: "timeout", Value: 3 * time.Second, Usage: "for one request to the JVM"},
		&cli.StringFlag{Name: "color", Value: "auto", Usage: "auto, always or never; NO_COLOR is honoured"},
		&cli.BoolFlag{Name: "v", Aliases: []string{"verbose"}, Usage: "print progress to standard error"},
	}, onFlags()...)
}

// captureOptions are captureFlags, checked.
type captureOptions struct {
	count    int
	interval time.Duration
	timeout  time.Duration
	locks    source.LockMode
	maxPause time.Duration
	virtual  source.VirtualMode
	format   string
	// schema is the number of the form of JSON.
	schema int
	failOn finding.Severity
	// via says whether running JVMs are asked, or their memory read.
	via source.Via
	// force attaches although that is likely to do harm.
	force bool
	// platformOnly has verdicts rest on platform threads where virtual threads are not shown.
	platformOnly bool
	// history takes the readings before and after the event of a recording too.
	history bool
	render  render.Options
}

func readCaptureOptions(c *cli.Context, env *Env) (captureOptions, error) {
	o := readTakeOptions(c)
	o.failOn, o.platformOnly = finding.Severity(c.String("fail-on")), c.Bool("platform-only")
	var err error
	if o.format, err = readFormat(c); err != nil {
		return o, err
	}
	if o.schema, err = readSchema(c, o.format == "json"); err != nil {
		return o, err
	}
	thread, err := threadFilter(c.String("thread"))
	if err != nil {
		return o, err
	}
	o.render = render.Options{
		Color: env.colored(c.String("color")), Width: env.OutWidth, Full: c.Bool("full"), Top: c.Int("top"),
		Thread: thread, ThreadText: c.String("thread"), StackDepth: c.Int("stack-depth"),
		IntelligentFilter: c.Bool("intelligent-filter"), NoNative: c.Bool("no-native"), MaxTokens: c.Int("max-tokens"),
	}
	if o.render.MaxTokens < 0 || c.IsSet("max-tokens") && o.format != "markdown" {
		return o, usage("--format markdown --max-tokens 2000",
			"--max-tokens needs a positive number and --format markdown")
	}
	return o, o.check(c)
}

// readFormat reads --format and --json.
func readFormat(c *cli.Context) (string, error) {
	format := c.String("format")
	switch {
	case !c.Bool("json"):
		return format, nil
	case c.IsSet("format") && format != "json":
		return "", usage("one of the two", "--json and --format %s contradict each other", format)
	}
	return "json", nil
}

// readTakeOptions reads takeFlags, unchecked.
func readTakeOptions(c *cli.Context) captureOptions {
	return captureOptions{
		count: c.Int("count"), interval: c.Duration("interval"), timeout: c.Duration("timeout"), format: "text",
		locks: source.LockMode(c.String("locks")), maxPause: c.Duration("max-pause"),
		virtual: source.VirtualMode(c.String("virtual")),
		force:   c.Bool(attachAnyway), history: c.Bool("history"), via: source.Via(c.String("via")),
	}
}

func (o captureOptions) check(c *cli.Context) error {
	switch {
	case o.count < 1:
		return usage("--count 3", "--count must be at least 1, not %d", o.count)
	case o.count > manyDumps && o.interval < leastOfMany:
		return usage(fmt.Sprintf("--interval %v, or at most --count %d", leastOfMany, manyDumps),
			"more than %d dumps take --interval %v or more: each one pauses the JVM", manyDumps, leastOfMany)
	case o.interval < 0:
		return usage("--interval 1s", "--interval must not be negative")
	case o.maxPause <= 0:
		return usage("--max-pause 200ms, or --locks never", "--max-pause must be positive, not %s", o.maxPause)
	case o.render.Top < 0 || o.render.StackDepth < 0:
		return usage("", "--top and --stack-depth must not be negative")
	}
	if err := o.checkChoices(); err != nil {
		return err
	}
	return checkCommon(c)
}

// checkChoices checks the flags that have few values.
func (o captureOptions) checkChoices() error {
	switch {
	case !isLockMode(o.locks):
		return usage("--locks never", "--locks is auto, always or never, not %q", string(o.locks))
	case !isVirtualMode(o.virtual):
		return usage("--virtual never", "--virtual is auto, always or never, not %q", string(o.virtual))
	case o.failOn != "" && o.failOn != finding.Critical && o.failOn != finding.Warning:
		return usage("--fail-on warning", "--fail-on is critical or warning, not %q", string(o.failOn))
	case o.format != "text" && o.format != "json" && o.format != "markdown":
		return usage("--format json", "--format is text, json or markdown, not %q", o.format)
	}
	return o.checkVia()
}

func (o captureOptions) checkVia() error {
	if o.via != source.ViaMemory {
		return checkVia(o.via)
	}
	switch {
	case o.locks == source.LocksAlways:
		return viaMemoryAsksNothing("--locks always")
	case o.virtual == source.VirtualAlways:
		return viaMemoryAsksNothing("--virtual always")
	}
	return nil
}

func isLockMode(m source.LockMode) bool {
	return m == source.LocksAuto || m == source.LocksAlways || m == source.LocksNever
}

func isVirtualMode(m source.VirtualMode) bool {
	return m == source.VirtualAuto || m == source.VirtualAlways || m == source.VirtualNever
}

func checkCommon(c *cli.Context) error {
	if t := c.Duration("timeout"); t <= 0 {
		return usage("--timeout 3s", "--timeout must be positive, not %s", t)
	}
	switch color := c.String("color"); color {
	case "auto", "always", "never":
		return nil
	default:
		return usage("--color never", "--color is auto, always or never, not %q", color)
	}
}

// needsLinux is the error of live commands elsewhere.
func needsLinux() error {
	if runtime.GOOS == "linux" {
		return nil
	}
	return nothing("save dumps there with `jstall dump PID` or `jstack -l PID`, and give the files to this command",
		"asking a running JVM needs Linux; on %s jstall reads saved dumps", runtime.GOOS)
}
