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
			Usage: "from the start of one dump to the next"},
		ViaFlag(),
		&cli.StringFlag{Name: "locks", Value: "auto",
			Usage: "ask for the owners of j.u.c. locks: auto, always or never; the JVM pauses for a walk of its heap"},
		&cli.DurationFlag{Name: "max-pause", Value: source.DefaultMaxPause,
			Usage: "the longest pause that --locks auto, or --full of record, may cause"},
		&cli.StringFlag{Name: "virtual", Value: "auto",
			Usage: "list virtual threads: auto, never, or always (runs Java code in the JVM; not on JDK 24, 25)"},
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
		Usage: "judge by the platform threads where virtual threads exist and are not shown, instead of exit code 5"}
}

// FormatFlag is --format of reports.
func FormatFlag() cli.Flag {
	return &cli.StringFlag{Name: "format", Value: "text", Usage: "text, json or markdown"}
}

// JSONFlag is --json of reports.
func JSONFlag() cli.Flag {
	return &cli.BoolFlag{Name: "json", Usage: "one JSON document per target (see jstall schema)"}
}

// SchemaFlag is for every command that writes JSON.
func SchemaFlag() cli.Flag {
	return &cli.IntFlag{Name: "schema", Value: analysis.SchemaVersion,
		Usage: "write JSON in the form of schema `N`: 3, or 2 (until the next release)"}
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
		Usage: "choose among the JVMs of the recording `FILE`.zip"}
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
		Usage: "attach although a check predicts harm to the JVM (never if the attach would end it)"}
}

// CommonFlags are the flags of every command that accesses a JVM.
func CommonFlags() []cli.Flag {
	return append([]cli.Flag{
		&cli.DurationFlag{Name: "timeout", Value: 3 * time.Second, Usage: "for one request to the JVM"},
		&cli.StringFlag{Name: "color", Value: "auto", Usage: "auto, always or never; NO_COLOR is honoured"},
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
