package shell

import (
	"fmt"
	"runtime"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/jstall/jstall/analysis"
	"github.com/jstall/jstall/internal/source"
)

// CaptureFlags choose how a capture is taken and what is shown of it. Every command that analyses has them, with the
// same meaning.
func CaptureFlags(count int) []cli.Flag {
	return append(TakeFlags(count), []cli.Flag{
		FormatFlag(),
		JSONFlag(),
		SchemaFlag(),
		&cli.IntFlag{Name: "max-tokens", Usage: "shorten Markdown to `N` tokens, counted as four characters each; " +
			"the least important parts are left out first", DefaultText: "no limit"},
		&cli.BoolFlag{Name: "full", Usage: "show all tables"},
		&cli.IntFlag{Name: "top", Usage: "show the first `N` threads of a table, all with -1",
			DefaultText: "as many as the view has"},
		&cli.StringFlag{Name: "thread", Usage: "show only threads whose name matches `REGEX`, or the one with this " +
			"native id (decimal as top -H shows it, or hex)"},
		&cli.IntFlag{Name: "stack-depth", Usage: "show at most `N` frames of a stack, all with 0",
			DefaultText: "as many as the view has"},
		&cli.BoolFlag{Name: "intelligent-filter", Usage: "leave JDK and framework frames out of stacks"},
		&cli.BoolFlag{Name: "no-native", Usage: "leave out threads whose top frame is native"},
		&cli.StringFlag{Name: "fail-on", Usage: "exit with code 3 if a finding has this severity or a higher one"},
		platformOnlyFlag(),
		&cli.StringFlag{Name: "keep", Usage: "also save the capture of running JVMs as the recording `FILE`.zip"},
		RecordingFlag(),
		HistoryFlag(),
	}...)
}

// TakeFlags choose what is taken of a JVM, and how it is asked.
func TakeFlags(count int) []cli.Flag {
	return append([]cli.Flag{
		ForceFlag(),
		AttachAnywayFlag(),
		&cli.IntFlag{Name: "count", Aliases: []string{"dump-count", "n"}, Value: count, Usage: "take `N` thread dumps"},
		&cli.DurationFlag{Name: "interval", Aliases: []string{"i"}, Value: time.Second,
			Usage: "time from the start of one dump to the start of the next"},
		ViaFlag(),
		&cli.StringFlag{Name: "locks", Value: "auto",
			Usage: "ask the JVM for the owners of java.util.concurrent locks, for which it pauses and searches its " +
				"heap; auto: only if a thread waits for such a lock and --max-pause allows it"},
		&cli.DurationFlag{Name: "max-pause", Value: source.DefaultMaxPause,
			Usage: "the longest pause that --locks auto, or record --full, may cause"},
		&cli.StringFlag{Name: "virtual", Value: "auto",
			Usage: "list virtual threads; always: also by running Java code in the JVM (refused on JDK 24 and 25)"},
	}, append(RedactFlags(), CommonFlags()...)...)
}

// WithoutVirtual returns the flags for a command that never lists virtual threads.
func WithoutVirtual(flags []cli.Flag) []cli.Flag {
	for i, f := range flags {
		if text, ok := f.(*cli.StringFlag); ok && text.Name == "virtual" {
			flags[i] = &cli.StringFlag{Name: "virtual", Value: "never",
				Usage: "as in the other commands; always is refused: this command never lists virtual threads"}
		}
	}
	return flags
}

// platformOnlyFlag is for commands whose exit code depends on a diagnosis.
func platformOnlyFlag() cli.Flag {
	return &cli.BoolFlag{Name: "platform-only",
		Usage: "if virtual threads exist that cannot be shown, judge by the platform threads and do not exit with " +
			"code 5"}
}

// FormatFlag is --format of reports.
func FormatFlag() cli.Flag {
	return &cli.StringFlag{Name: "format", Value: "text", Usage: "the format of the report"}
}

// JSONFlag is --json of reports.
func JSONFlag() cli.Flag {
	return &cli.BoolFlag{Name: "json", Usage: "print one JSON document per target; jstall schema prints its schema"}
}

// SchemaFlag is for every command that writes JSON.
func SchemaFlag() cli.Flag {
	return &cli.IntFlag{Name: "schema", Value: analysis.SchemaVersion,
		Usage: "write JSON of schema version `N`: 3, or 2, which the next release removes"}
}

// ReadSchema reads --schema, which is only for JSON.
func ReadSchema(c *cli.Context, inJSON bool) (int, error) {
	schema := c.Int("schema")
	if c.IsSet("schema") && !inJSON {
		return 0, Usage(fmt.Sprintf("--json --schema %d", schema), "--schema needs --json")
	}
	if schema < analysis.OldestSchema || schema > analysis.SchemaVersion {
		return 0, Usage(fmt.Sprintf("--schema %d", analysis.SchemaVersion), "--schema is %d or %d, not %d",
			analysis.OldestSchema, analysis.SchemaVersion, schema)
	}
	return schema, nil
}

// RecordingFlag is -f, the recording to choose JVMs from.
func RecordingFlag() cli.Flag {
	return &cli.StringFlag{Name: "f", Aliases: []string{"file"},
		Usage: "read the recording `FILE`.zip; the targets then choose JVMs in it"}
}

// HistoryFlag is for commands that can analyse the whole of a recording by watch.
func HistoryFlag() cli.Flag {
	return &cli.BoolFlag{Name: "history",
		Usage: "for a recording of watch: also use the readings before and after the event"}
}

// ForceFlag is for every command that writes a file. It does not affect attaching.
func ForceFlag() cli.Flag {
	return &cli.BoolFlag{Name: "force", Usage: "replace a file that exists"}
}

// AttachAnyway is the name of the flag of every command that attaches to a JVM. It does not affect files.
const AttachAnyway = "attach-anyway"

// AttachAnywayFlag is --attach-anyway.
func AttachAnywayFlag() cli.Flag {
	return &cli.BoolFlag{Name: AttachAnyway,
		Usage: "attach even if a check predicts harm to the JVM; never done if the attach would end the JVM"}
}

// CommonFlags are the flags of every command that accesses a JVM.
func CommonFlags() []cli.Flag {
	return append([]cli.Flag{
		&cli.DurationFlag{Name: "timeout", Value: 3 * time.Second, Usage: "how long one request to the JVM may take"},
		&cli.StringFlag{Name: "color", Value: "auto",
			Usage: "when to use colour; auto: on a terminal, unless NO_COLOR is set"},
		&cli.BoolFlag{Name: "v", Aliases: []string{"verbose"}, Usage: "print progress to standard error"},
	}, OnFlags()...)
}

// CheckCommon refuses wrong values of [CommonFlags].
func CheckCommon(c *cli.Context) error {
	if t := c.Duration("timeout"); t <= 0 {
		return Usage("--timeout 3s", "--timeout must be positive, not %s", t)
	}
	switch color := c.String("color"); color {
	case "auto", "always", "never":
		return nil
	default:
		return Usage("--color never", "--color is auto, always or never, not %q", color)
	}
}

// NeedsLinux returns the error of live commands on other systems, nil on Linux.
func NeedsLinux() error {
	if runtime.GOOS == "linux" {
		return nil
	}
	return NoResult("save dumps there with `jstall dump PID` or `jstack -l PID`, and give the files to this command",
		"asking a running JVM needs Linux; on %s jstall reads saved dumps", runtime.GOOS)
}
